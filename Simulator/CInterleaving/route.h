#ifndef CINTERLEAVING_ROUTE_H
#define CINTERLEAVING_ROUTE_H

#include "cinterleaving.h"

extern struct ci_hooks ci_hooks;

// Thread-locals of the executable: each context has its own, and a read costs nothing measurable.
struct ci_route {
  void *simulated;
  int in_kernel;
  bool follows_order;
  // What is enqueued now is a task that is being made: it must not run before it is.
  bool is_making_task;
  // The task, or other job, that the context enqueued last.
  void *enqueued;
  // How many of the world's entities wait; of a thread outside every world, a nought.
  const volatile int32_t *waiting;
  // Where the world's choices are written: for a crash of one of its entities.
  ci_record *record;
};
extern __thread struct ci_route ci_route;

// These are called in what is interposed, before its file says that nothing of it is instrumented ("uninstrumented.h").
#define CI_UNINSTRUMENTED __attribute__((disable_sanitizer_instrumentation))

// The entity that calls, where it calls from outside the kernel: what is interposed goes to the world only then.
CI_UNINSTRUMENTED static inline void *ci_entity(void) {
  return __builtin_expect(ci_route.simulated != NULL, false) && ci_route.in_kernel == 0 ? ci_route.simulated : NULL;
}

// Tells the world that something was given back, where anybody waits for anything: what nobody waits for goes past it,
// and so does all that the Swift runtime does with its own locks, in which no Swift code may be called.
CI_UNINSTRUMENTED static inline void ci_wake(void *me, const void *address, bool all) {
  if (*ci_route.waiting != 0) ci_hooks.wake(me, address, all);
}

// The next definition of a symbol: a sanitizer's where there is one, else the library's.
void *ci_real(const char *name);

#define CI_REAL(name) ((__typeof__(&name))real_##name)

#endif
