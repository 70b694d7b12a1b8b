#ifndef CINTERLEAVING_CONTEXT_H
#define CINTERLEAVING_CONTEXT_H

#include "cinterleaving.h"

#include <pthread.h>

struct ci_context {
  ci_substrate substrate;
  ci_context *host;  // NULL for a host itself
  ci_context *next_idle;
  void (*body)(void *);
  void *argument;
  // The system's number of the thread below.
  int32_t number;
  // Fibers.
  void *stack_pointer;
  void *stack_top;
  void *thread_pointer;
  // The thread that owns the storage of a fiber, or that a context of the other kind is.
  pthread_t thread;
  // Turns that are given once: whoever made the context waits for the first, and a fiber's parked thread for the other.
  _Atomic(uint32_t) ready;
  _Atomic(uint32_t) called;
  void *errand;
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
// A turn of one thread of the system's, past everything that is interposed.
void ci_turn_give(_Atomic(uint32_t) * turn);
void ci_turn_wait(_Atomic(uint32_t) * turn);
long ci_syscall(long number, long a, long b, long c, long d, long e, long f);

// Has the thread whose number a word holds give the lock back in the kernel: where it is a fiber's, that thread is parked.
void ci_unlock_from_thread(ci_context *context, void *word);
// Lets a watchdog ask the calling thread for its stack, whatever it inherited.
void ci_answer_questions(void);
// The time of the world that a deadline means, of whichever clock it is.
uint64_t ci_deadline_of(uint64_t nanoseconds);

#endif
