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

UNSEEN void ci_thread_pass(ci_context *to) {
  atomic_store_explicit(&to->turn, 1, memory_order_release);
  syscall(SYS_futex, &to->turn, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

UNSEEN static void wait_for_turn(ci_context *me) {
  while (atomic_exchange_explicit(&me->turn, 0, memory_order_acquire) == 0) {
    syscall(SYS_futex, &me->turn, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
  }
}

UNSEEN void ci_thread_switch(ci_context *from, ci_context *to) {
  ci_thread_pass(to);
  wait_for_turn(from);
}

UNSEEN static void *live(void *raw) {
  ci_context *me = raw;
  ci_arrive(me);
  for (;;) {
    wait_for_turn(me);
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
  // Where the host runs now: a hand-over within one processor costs a third of one between two.
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
  pthread_detach(context->thread);
  return context;
}
