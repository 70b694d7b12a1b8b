// What both substrates share: hosts, pools, and who runs.
#define _GNU_SOURCE
#include "context.h"

#include "route.h"
#include "sanitizers.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef UNDER_THREAD_SANITIZER
void AnnotateIgnoreReadsBegin(const char *file, int line);
void AnnotateIgnoreReadsEnd(const char *file, int line);
void AnnotateIgnoreWritesBegin(const char *file, int line);
void AnnotateIgnoreWritesEnd(const char *file, int line);
void __tsan_acquire(void *address);
void __tsan_release(void *address);

void ci_enter_kernel(void) {
  ci_route.in_kernel++;
  AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
  AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
}
void ci_leave_kernel(void) {
  AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
  AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
  ci_route.in_kernel--;
}
void ci_announce_release(const void *object) { __tsan_release((void *)object); }
void ci_announce_acquire(const void *object) { __tsan_acquire((void *)object); }
#else
void ci_enter_kernel(void) { ci_route.in_kernel++; }
void ci_leave_kernel(void) { ci_route.in_kernel--; }
void ci_announce_release(const void *object) { (void)object; }
void ci_announce_acquire(const void *object) { (void)object; }
#endif

__thread struct ci_route ci_route;
static __thread ci_context *self;

ci_context *ci_running(void) { return self; }
void ci_arrive(ci_context *context) { self = context; }
void *ci_enter_as_entity(void) {
  if (ci_route.simulated != NULL) ci_enter_kernel();
  return ci_route.simulated;
}
void *ci_simulated(void) { return ci_route.simulated; }
void ci_set_simulated(void *value) { ci_route.simulated = value; }
void ci_set_world(ci_record *record, const volatile int32_t *waiting, bool follows_order) {
#ifdef INTERLEAVING_DEEP
  ci_begin_depth();
#endif
  ci_route.record = record;
  ci_route.waiting = waiting;
  ci_route.follows_order = follows_order;
}
int32_t ci_context_thread(const ci_context *context) { return context->number; }

void *ci_real(const char *name) {
  char of_sanitizer[128];
  snprintf(of_sanitizer, sizeof of_sanitizer, "__interceptor_%s", name);
  void *found = dlsym(RTLD_DEFAULT, of_sanitizer);
  if (found == NULL) found = dlsym(RTLD_NEXT, name);
  return found;
}

ci_context *ci_host_make(ci_substrate substrate) {
  ci_context *host = calloc(1, sizeof *host);
  if (host == NULL) abort();
  host->substrate = substrate;
  ci_answer_questions();
  ci_host_adopt(host);
  return host;
}

void ci_host_adopt(ci_context *host) {
  host->number = ci_thread_number();
  // The host itself makes the first task of an execution, and is a thread of the world's meanwhile.
  ci_arrive(host);
  if (host->substrate == CI_FIBERS) ci_fiber_adopt(host);
}

void ci_host_free(ci_context *host) {
  if (self == host) self = NULL;
  for (ci_context *context = host->idle; context != NULL;) {
    ci_context *next = context->next_idle;
    // A thread of the other substrate stays parked: it waits for a turn that nobody gives.
    if (host->substrate == CI_FIBERS) ci_fiber_abandon(context);
    context = next;
  }
  free(host);
}

ci_context *ci_context_make(ci_context *host, void (*body)(void *), void *argument) {
  ci_context *context = host->idle;
  if (context != NULL) {
    host->idle = context->next_idle;
    if (host->substrate == CI_FIBERS) ci_fiber_rewind(context);
  } else {
    context = host->substrate == CI_FIBERS ? ci_fiber_make() : ci_thread_make(host);
    if (context == NULL) return NULL;
    context->substrate = host->substrate;
    context->host = host;
  }
  context->body = body;
  context->argument = argument;
  return context;
}

void ci_switch(ci_context *from, ci_context *to) {
  if (from == to) return;
  if (from->substrate == CI_FIBERS) {
    ci_fiber_switch(from, to);
  } else {
    ci_thread_switch(from, to);
  }
}

void ci_finish(ci_context *from, ci_context *to) {
  from->next_idle = from->host->idle;
  from->host->idle = from;
  if (from->substrate == CI_FIBERS) {
    ci_fiber_switch(from, to);
  } else {
    ci_thread_pass(to);
  }
}

void ci_abandon(ci_context *context) {
  if (context->substrate == CI_FIBERS) ci_fiber_abandon(context);
}
