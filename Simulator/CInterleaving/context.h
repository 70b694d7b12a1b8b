#ifndef CINTERLEAVING_CONTEXT_H
#define CINTERLEAVING_CONTEXT_H

#include "cinterleaving.h"

#include <pthread.h>
#include <semaphore.h>

struct ci_context {
  ci_substrate substrate;
  ci_context *host;  // NULL for a host itself
  ci_context *next_idle;
  void (*body)(void *);
  void *argument;
  // Fibers.
  void *stack_pointer;
  void *stack_top;
  void *thread_pointer;
  // The thread that owns the storage of a fiber, or that a context of the other kind is.
  pthread_t thread;
  sem_t ready;
  sem_t never;
  // Threads: whose turn it is. Set by the one who leaves, taken by the one who comes.
  _Atomic(uint32_t) turn;
  // A host's: the pool of the contexts that are idle.
  ci_context *idle;
};

// The context that runs on the calling thread.
ci_context *ci_running(void);
// Called in a context that was switched to for its first time.
void ci_arrive(ci_context *context);

ci_context *ci_fiber_make(void);
void ci_fiber_rewind(ci_context *context);
void ci_fiber_abandon(ci_context *context);
void ci_fiber_adopt(ci_context *host);
void ci_fiber_switch(ci_context *from, ci_context *to);

ci_context *ci_thread_make(ci_context *host);
void ci_thread_switch(ci_context *from, ci_context *to);
void ci_thread_pass(ci_context *to);

#endif
