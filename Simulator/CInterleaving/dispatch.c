// Dispatch: queues, delays, groups and semaphores in both forms; the rest is refused by its name.
#define _GNU_SOURCE
#include "context.h"
#include "route.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "uninstrumented.h"

#if defined(__linux__)

// Declared here, not included: the library's headers would fix the types of what is defined anew below.
typedef void (*function)(void *);
typedef uint64_t dispatch_time;
static const dispatch_time FOREVER = ~0ull;

struct block {
  void *class;
  int flags, reserved;
  void (*invoke)(void *block);
};

static void *(*copy_block)(const void *);
static void (*release_block)(const void *);
static void (*retain_object)(void *);
static void (*release_object)(void *);
static const char *(*label_of)(void *);
static long (*real_dispatch_group_wait)(void *, dispatch_time);
static void (*real_dispatch_group_enter)(void *);
static void (*real_dispatch_group_leave)(void *);
static long (*real_dispatch_semaphore_wait)(void *, dispatch_time);
static long (*real_dispatch_semaphore_signal)(void *);
static void *(*queue_specific)(void *, const void *);
static void *main_queue, *concurrent_attribute;
static void *global_queues[16];
static const char *runtime_base;

static void *base_of(const void *address) {
  Dl_info info;
  return dladdr(address, &info) != 0 ? info.dli_fbase : NULL;
}

__attribute__((constructor(102))) static void find_real(void) {
  copy_block = dlsym(RTLD_DEFAULT, "_Block_copy");
  release_block = dlsym(RTLD_DEFAULT, "_Block_release");
  retain_object = ci_real("dispatch_retain");
  release_object = ci_real("dispatch_release");
  label_of = ci_real("dispatch_queue_get_label");
  real_dispatch_group_wait = ci_real("dispatch_group_wait");
  real_dispatch_group_enter = ci_real("dispatch_group_enter");
  real_dispatch_group_leave = ci_real("dispatch_group_leave");
  real_dispatch_semaphore_wait = ci_real("dispatch_semaphore_wait");
  real_dispatch_semaphore_signal = ci_real("dispatch_semaphore_signal");
  queue_specific = ci_real("dispatch_queue_get_specific");
  main_queue = dlsym(RTLD_DEFAULT, "_dispatch_main_q");
  concurrent_attribute = dlsym(RTLD_DEFAULT, "_dispatch_queue_attr_concurrent");
  runtime_base = base_of(dlsym(RTLD_DEFAULT, "swift_task_getCurrent"));
  void *(*global)(long, unsigned long) = ci_real("dispatch_get_global_queue");
  static const long classes[] = {0x21, 0x19, 0x15, 0x11, 0x09, 0x05};
  if (global == NULL) return;
  for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
    global_queues[2 * i] = global(classes[i], 0);
    global_queues[2 * i + 1] = global(classes[i], 2);
  }
}

// Resolved at the first call: there are many, and none is called before there is a Swift program.
#define REAL(name, type) \
  ({ \
    static _Atomic(void *) found; \
    void *real = atomic_load_explicit(&found, memory_order_relaxed); \
    if (__builtin_expect(real == NULL, false)) { \
      real = ci_real(#name); \
      atomic_store_explicit(&found, real, memory_order_relaxed); \
    } \
    (type) real; \
  })

void ci_block_call(void *block) { ((struct block *)block)->invoke(block); }
void ci_block_release(void *block) { release_block(block); }
void ci_dispatch_retain(void *object) { retain_object(object); }
void ci_dispatch_release(void *object) { release_object(object); }
const char *ci_dispatch_label(void *queue) { return label_of(queue); }
bool ci_dispatch_is_main(void *queue) { return queue == main_queue; }
void *ci_dispatch_main(void) { return main_queue; }
bool ci_dispatch_group_is_empty(void *group) { return real_dispatch_group_wait(group, 0) == 0; }
void ci_dispatch_group_leave(void *group) { real_dispatch_group_leave(group); }

// MARK: Which queues are concurrent

// A queue does not say it, so what makes concurrent ones is followed, in worlds and outside: attributes that derive
// from the concurrent one, which are few and live for ever, and the queues made with them.
enum { ROOM = 4096 };
struct set {
  // An address, and in its lowest bit whether it is in the set: an address may be made anew as something else.
  _Atomic(uintptr_t) entries[ROOM];
};
static struct set attributes, queues;

static _Atomic(uintptr_t) * entry_of(struct set *set, void *value, bool makes) {
  for (size_t i = 0; i < ROOM; i++) {
    _Atomic(uintptr_t) *entry = &set->entries[((uintptr_t)value / 16 + i) % ROOM];
    uintptr_t seen = atomic_load(entry);
    if (seen == 0 && (!makes || atomic_compare_exchange_strong(entry, &seen, (uintptr_t)value))) {
      return makes ? entry : NULL;
    }
    if ((seen & ~(uintptr_t)1) == (uintptr_t)value) return entry;
  }
  return NULL;
}
static void set_membership(struct set *set, void *value, bool is_in) {
  _Atomic(uintptr_t) *entry = entry_of(set, value, is_in);
  if (entry != NULL) atomic_store(entry, (uintptr_t)value | is_in);
}
static bool is_in(struct set *set, void *value) {
  _Atomic(uintptr_t) *entry = entry_of(set, value, false);
  return entry != NULL && (atomic_load(entry) & 1) != 0;
}

static bool is_concurrent_attribute(void *attribute) {
  return attribute != NULL && (attribute == concurrent_attribute || is_in(&attributes, attribute));
}
static void *derived(void *from, void *attribute) {
  if (is_concurrent_attribute(from)) set_membership(&attributes, attribute, true);
  return attribute;
}
static void *made(void *queue, void *attribute) {
  set_membership(&queues, queue, is_concurrent_attribute(attribute));
  return queue;
}

static bool is_global(void *queue) {
  for (size_t i = 0; i < sizeof global_queues / sizeof *global_queues; i++) {
    if (global_queues[i] == queue && queue != NULL) return true;
  }
  return false;
}
bool ci_dispatch_is_concurrent(void *queue) { return is_global(queue) || is_in(&queues, queue); }

void *dispatch_queue_create(const char *label, void *attribute) {
  return made(REAL(dispatch_queue_create, void *(*)(const char *, void *))(label, attribute), attribute);
}
void *dispatch_queue_create_with_target(const char *label, void *attribute, void *target) {
  void *me = ci_entity();
  // A global queue only says where the work runs; any other keeps apart what shares it.
  if (me != NULL && target != NULL && !is_global(target)) {
    ci_hooks.unmodelled(me, "dispatch_queue_create_with_target");
  }
  void *queue =
      REAL(dispatch_queue_create_with_target, void *(*)(const char *, void *, void *))(label, attribute, target);
  return made(queue, attribute);
}
void *dispatch_queue_attr_make_with_qos_class(void *attribute, unsigned int quality, int priority) {
  return derived(
      attribute, REAL(dispatch_queue_attr_make_with_qos_class, void *(*)(void *, unsigned int, int))(
                     attribute, quality, priority));
}
void *dispatch_queue_attr_make_with_autorelease_frequency(void *attribute, unsigned long frequency) {
  return derived(
      attribute, REAL(dispatch_queue_attr_make_with_autorelease_frequency, void *(*)(void *, unsigned long))(
                     attribute, frequency));
}
void *dispatch_queue_attr_make_initially_inactive(void *attribute) {
  void *me = ci_entity();
  if (me != NULL) ci_hooks.unmodelled(me, "dispatch_queue_attr_make_initially_inactive");
  return derived(attribute, REAL(dispatch_queue_attr_make_initially_inactive, void *(*)(void *))(attribute));
}

// MARK: Work

static uint64_t deadline_of(void *me, dispatch_time when) {
  if (when == FOREVER) return UINT64_MAX;
  if (when == 0) return ci_hooks.now(me);
  // Two bits on top: a time of the wall clock, negated; one: of the continuous clock; none: of the suspending one.
  if ((when >> 62) == 3) return ci_deadline_of(-when);
  return when & ~(3ull << 62);
}

// Whether the function is one of the Swift runtime's own: what it enqueues are jobs, for which it has no hook.
static bool is_runtime(function work) { return base_of((const void *)work) == runtime_base; }

static bool run_by_carriers(void *me, void *context, function work, uint64_t deadline) {
  static _Atomic(void *) known;
  void *const seen = atomic_load_explicit(&known, memory_order_relaxed);
  if (seen != (void *)work) {
    if (!is_runtime(work)) return false;
    atomic_store_explicit(&known, (void *)work, memory_order_relaxed);
  }
  ci_hooks.enqueue_work(me, context, work, deadline);
  return true;
}

static void hop(void *me, void *queue, void *context, function work, bool is_block, bool is_barrier, void *group) {
  ci_hooks.dispatch_async(me, queue, context, work, is_block, is_barrier, group);
  if (!ci_route.is_making_task) ci_hooks.point(me, "dispatch_async");
}

void dispatch_async_f(void *queue, void *context, function work) {
  void *me = ci_entity();
  if (me == NULL) {
    REAL(dispatch_async_f, void (*)(void *, void *, function))(queue, context, work);
  } else if (!run_by_carriers(me, context, work, 0)) {
    hop(me, queue, context, work, false, false, NULL);
  }
}
void dispatch_async(void *queue, void *block) {
  void *me = ci_entity();
  if (me == NULL) {
    REAL(dispatch_async, void (*)(void *, void *))(queue, block);
  } else {
    hop(me, queue, copy_block(block), ci_block_call, true, false, NULL);
  }
}
void dispatch_barrier_async_f(void *queue, void *context, function work) {
  void *me = ci_entity();
  if (me == NULL) {
    REAL(dispatch_barrier_async_f, void (*)(void *, void *, function))(queue, context, work);
  } else {
    hop(me, queue, context, work, false, true, NULL);
  }
}
void dispatch_barrier_async(void *queue, void *block) {
  void *me = ci_entity();
  if (me == NULL) {
    REAL(dispatch_barrier_async, void (*)(void *, void *))(queue, block);
  } else {
    hop(me, queue, copy_block(block), ci_block_call, true, true, NULL);
  }
}
void dispatch_sync_f(void *queue, void *context, function work) {
  void *me = ci_entity();
  if (me == NULL) {
    REAL(dispatch_sync_f, void (*)(void *, void *, function))(queue, context, work);
  } else {
    ci_hooks.dispatch_sync(me, queue, context, work, false);
  }
}
void dispatch_sync(void *queue, void *block) {
  void *me = ci_entity();
  if (me == NULL) {
    REAL(dispatch_sync, void (*)(void *, void *))(queue, block);
  } else {
    ci_hooks.dispatch_sync(me, queue, block, ci_block_call, false);
  }
}
void dispatch_barrier_sync_f(void *queue, void *context, function work) {
  void *me = ci_entity();
  if (me == NULL) {
    REAL(dispatch_barrier_sync_f, void (*)(void *, void *, function))(queue, context, work);
  } else {
    ci_hooks.dispatch_sync(me, queue, context, work, true);
  }
}
void dispatch_barrier_sync(void *queue, void *block) {
  void *me = ci_entity();
  if (me == NULL) {
    REAL(dispatch_barrier_sync, void (*)(void *, void *))(queue, block);
  } else {
    ci_hooks.dispatch_sync(me, queue, block, ci_block_call, true);
  }
}
void dispatch_after_f(dispatch_time when, void *queue, void *context, function work) {
  void *me = ci_entity();
  if (me == NULL) {
    REAL(dispatch_after_f, void (*)(dispatch_time, void *, void *, function))(when, queue, context, work);
    return;
  }
  uint64_t deadline = deadline_of(me, when);
  if (run_by_carriers(me, context, work, deadline)) return;
  // What is never due is not kept.
  if (when == FOREVER) return;
  ci_hooks.dispatch_after(me, deadline, queue, context, work, false);
}
void dispatch_after(dispatch_time when, void *queue, void *block) {
  void *me = ci_entity();
  if (me == NULL) {
    REAL(dispatch_after, void (*)(dispatch_time, void *, void *))(when, queue, block);
  } else if (when != FOREVER) {
    ci_hooks.dispatch_after(me, deadline_of(me, when), queue, copy_block(block), ci_block_call, true);
  }
}

// MARK: Groups

void dispatch_group_async_f(void *group, void *queue, void *context, function work) {
  void *me = ci_entity();
  if (me == NULL) {
    REAL(dispatch_group_async_f, void (*)(void *, void *, void *, function))(group, queue, context, work);
    return;
  }
  real_dispatch_group_enter(group);
  hop(me, queue, context, work, false, false, group);
}
void dispatch_group_async(void *group, void *queue, void *block) {
  void *me = ci_entity();
  if (me == NULL) {
    REAL(dispatch_group_async, void (*)(void *, void *, void *))(group, queue, block);
    return;
  }
  real_dispatch_group_enter(group);
  hop(me, queue, copy_block(block), ci_block_call, true, false, group);
}
void dispatch_group_leave(void *group) {
  void *me = ci_entity();
  if (me != NULL && ci_route.follows_order) ci_hooks.released(me, group);
  real_dispatch_group_leave(group);
  if (me != NULL) ci_hooks.dispatch_left(me, group);
}
long dispatch_group_wait(void *group, dispatch_time timeout) {
  void *me = ci_entity();
  if (me == NULL) return real_dispatch_group_wait(group, timeout);
  uint64_t deadline = deadline_of(me, timeout);
  while (real_dispatch_group_wait(group, 0) != 0) {
    if (timeout == 0 || !ci_hooks.wait(me, group, CI_WAITS_FOR_GROUP, 0, deadline)) return 1;
  }
  if (ci_route.follows_order) ci_hooks.acquired(me, group);
  return 0;
}
void dispatch_group_notify_f(void *group, void *queue, void *context, function work) {
  void *me = ci_entity();
  if (me == NULL) {
    REAL(dispatch_group_notify_f, void (*)(void *, void *, void *, function))(group, queue, context, work);
  } else {
    ci_hooks.dispatch_notify(me, group, queue, context, work, false);
  }
}
void dispatch_group_notify(void *group, void *queue, void *block) {
  void *me = ci_entity();
  if (me == NULL) {
    REAL(dispatch_group_notify, void (*)(void *, void *, void *))(group, queue, block);
  } else {
    ci_hooks.dispatch_notify(me, group, queue, copy_block(block), ci_block_call, true);
  }
}

// MARK: Semaphores

long dispatch_semaphore_wait(void *semaphore, dispatch_time timeout) {
  void *me = ci_entity();
  if (me == NULL) return real_dispatch_semaphore_wait(semaphore, timeout);
  uint64_t deadline = deadline_of(me, timeout);
  while (real_dispatch_semaphore_wait(semaphore, 0) != 0) {
    if (timeout == 0 || !ci_hooks.wait(me, semaphore, CI_WAITS_FOR_SEMAPHORE, 0, deadline)) return 1;
  }
  if (ci_route.follows_order) ci_hooks.acquired(me, semaphore);
  return 0;
}
long dispatch_semaphore_signal(void *semaphore) {
  void *me = ci_entity();
  if (me != NULL && ci_route.follows_order) ci_hooks.released(me, semaphore);
  long result = real_dispatch_semaphore_signal(semaphore);
  if (me != NULL) ci_wake(me, semaphore, false);
  return result;
}

// MARK: What a queue's work asks about

static bool is_on(void *me, void *queue) {
  for (size_t depth = 0;; depth++) {
    void *current = ci_hooks.dispatch_current(me, depth);
    if (current == NULL || current == queue) return current != NULL;
  }
}
// The library's own, when it does not hold, says so and traps: here the calling thread is on no queue of its own.
void dispatch_assert_queue(void *queue) {
  void *me = ci_entity();
  if (me == NULL || !is_on(me, queue)) REAL(dispatch_assert_queue, void (*)(void *))(queue);
}
void dispatch_assert_queue_barrier(void *queue) {
  void *me = ci_entity();
  if (me == NULL || !is_on(me, queue)) REAL(dispatch_assert_queue_barrier, void (*)(void *))(queue);
}
void dispatch_assert_queue_not(void *queue) {
  void *me = ci_entity();
  if (me == NULL) {
    REAL(dispatch_assert_queue_not, void (*)(void *))(queue);
  } else if (is_on(me, queue)) {
    abort();
  }
}
void *dispatch_get_specific(const void *key) {
  void *me = ci_entity();
  if (me == NULL) return REAL(dispatch_get_specific, void *(*)(const void *))(key);
  void *queue = ci_hooks.dispatch_current(me, 0);
  return queue == NULL ? NULL : queue_specific(queue, key);
}

// MARK: What is refused

#define REFUSED(result, name, parameters, arguments) \
  result name parameters { \
    void *me = ci_entity(); \
    if (me != NULL) ci_hooks.unmodelled(me, #name); \
    return REAL(name, result(*) parameters) arguments; \
  }
REFUSED(void *, dispatch_source_create, (const void *type, uintptr_t handle, uintptr_t mask, void *queue),
        (type, handle, mask, queue))
REFUSED(void, dispatch_apply, (size_t count, void *queue, void *block), (count, queue, block))
REFUSED(void, dispatch_apply_f, (size_t count, void *queue, void *context, void (*work)(void *, size_t)),
        (count, queue, context, work))
REFUSED(void, dispatch_async_and_wait, (void *queue, void *block), (queue, block))
REFUSED(void, dispatch_async_and_wait_f, (void *queue, void *context, function work), (queue, context, work))
REFUSED(void, dispatch_barrier_async_and_wait, (void *queue, void *block), (queue, block))
REFUSED(void, dispatch_barrier_async_and_wait_f, (void *queue, void *context, function work), (queue, context, work))
REFUSED(void *, dispatch_workloop_create, (const char *label), (label))
REFUSED(void *, dispatch_workloop_create_inactive, (const char *label), (label))
REFUSED(long, dispatch_block_wait, (void *block, dispatch_time timeout), (block, timeout))
REFUSED(void, dispatch_block_notify, (void *block, void *queue, void *next), (block, queue, next))
REFUSED(void, dispatch_suspend, (void *object), (object))
REFUSED(void, dispatch_resume, (void *object), (object))
REFUSED(void, dispatch_set_target_queue, (void *object, void *queue), (object, queue))
REFUSED(void *, dispatch_io_create, (unsigned long type, int file, void *queue, void *cleanup),
        (type, file, queue, cleanup))
REFUSED(void *, dispatch_io_create_with_path,
        (unsigned long type, const char *path, int flags, unsigned int mode, void *queue, void *cleanup),
        (type, path, flags, mode, queue, cleanup))
REFUSED(void, dispatch_read, (int file, size_t length, void *queue, void *handler), (file, length, queue, handler))
REFUSED(void, dispatch_write, (int file, void *data, void *queue, void *handler), (file, data, queue, handler))

#endif

#ifdef __clang__
#pragma clang attribute pop
#endif
