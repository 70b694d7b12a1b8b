// Contexts that are OS threads: pooled, pinned to their host's processor, one running at a time.
//
// Nothing here is instrumented by ThreadSanitizer: a token that it saw would order everything that the schedule orders,
// and hide the program's own races.
#define _GNU_SOURCE
#include "context.h"

#include <linux/futex.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define UNSEEN __attribute__((disable_sanitizer_instrumentation))

UNSEEN void ci_turn_give(_Atomic(uint32_t) * turn) {
  atomic_store_explicit(turn, 1, memory_order_release);
  ci_syscall(SYS_futex, (long)turn, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
}

UNSEEN void ci_turn_wait(_Atomic(uint32_t) * turn) {
  while (atomic_exchange_explicit(turn, 0, memory_order_acquire) == 0) {
    ci_syscall(SYS_futex, (long)turn, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
  }
}

UNSEEN void ci_thread_pass(ci_context *to) { ci_turn_give(&to->turn); }

UNSEEN void ci_thread_switch(ci_context *from, ci_context *to) {
  ci_thread_pass(to);
  ci_turn_wait(&from->turn);
}

UNSEEN static void *live(void *raw) {
  ci_context *me = raw;
  me->number = ci_thread_number();
  ci_answer_questions();
  ci_arrive(me);
  ci_turn_give(&me->ready);
  for (;;) {
    ci_turn_wait(&me->turn);
    me->body(me->argument);
  }
  return NULL;
}

ci_context *ci_thread_make(ci_context *host) {
  (void)host;
  ci_context *context = calloc(1, sizeof *context);
  if (context == NULL) return NULL;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  // Where the host runs.
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  pthread_attr_setaffinity_np(&attributes, sizeof one, &one);
  int failed = pthread_create(&context->thread, &attributes, live, context);
  pthread_attr_destroy(&attributes);
  if (failed) {
    free(context);
    return NULL;
  }
  ci_turn_wait(&context->ready);
  pthread_detach(context->thread);
  return context;
}

void ci_pin_here(void) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  sched_setaffinity(0, sizeof one, &one);
}
