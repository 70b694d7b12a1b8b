// Deep mode: code that the compiler instrumented for ThreadSanitizer calls these functions, and ours are not its runtime's.
// Each atomic operation is a scheduling point of the world, and each access of memory is one that its clocks look at.
//
// The names and meanings are the compiler's interface, as LLVM's headers declare it.
#ifdef INTERLEAVING_DEEP
#define _GNU_SOURCE
#include "context.h"
#include "route.h"

#include <dlfcn.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

bool ci_is_deep(void) { return true; }

// As much as a fiber has.
enum { STACK_SIZE = 512 * 1024 };

// Between these the compiler says that there is nothing to see: the runtime's own business.
static __thread int ignored;

void __tsan_init(void) {}

#define SWIFT __attribute__((swiftcall))
#define SWIFT_ASYNC __attribute__((swiftasynccall))
#define ASYNC_CONTEXT __attribute__((swift_async_context))
extern SWIFT void *swift_task_getCurrent(void);
extern SWIFT ci_executor swift_task_getCurrentExecutor(void);

// How deep the running context is in instrumented code. From nought it comes from the runtime, which goes on with whatever
// task it likes, and goes back there: a task's part begins and ends.
static __thread int depth;
void ci_begin_depth(void) { depth = 0; }
void __tsan_func_entry(void *caller) {
  (void)caller;
  if (depth++ > 0) return;
  void *me = ci_entity();
  void *task = me == NULL || ignored != 0 ? NULL : swift_task_getCurrent();
  if (task != NULL) ci_hooks.part_begins(me, ci_task_number(task), swift_task_getCurrentExecutor().identity);
}
void __tsan_func_exit(void) {
  if (--depth > 0) return;
  void *me = ci_entity();
  void *task = me == NULL || ignored != 0 ? NULL : swift_task_getCurrent();
  if (task != NULL) ci_hooks.part_ends(me, swift_task_getCurrentExecutor().identity);
}
void __tsan_ignore_thread_begin(void) { ignored++; }
void __tsan_ignore_thread_end(void) { ignored--; }

// What lies on the running context's own stack is its own.
static bool is_own_stack(const void *address) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  return (uintptr_t)address - here < (uintptr_t)STACK_SIZE;
}

static void touch(const void *address, size_t size, bool is_write, void *caller) {
  void *me = ci_entity();
  if (me == NULL || ignored != 0 || is_own_stack(address)) return;
  ci_hooks.accessed(me, address, size, is_write, (uintptr_t)caller);
}

#define ACCESS(size) \
  void __tsan_read##size(void *address) { touch(address, size, false, __builtin_return_address(0)); } \
  void __tsan_write##size(void *address) { touch(address, size, true, __builtin_return_address(0)); } \
  void __tsan_unaligned_read##size(void *address) { touch(address, size, false, __builtin_return_address(0)); } \
  void __tsan_unaligned_write##size(void *address) { touch(address, size, true, __builtin_return_address(0)); } \
  void __tsan_volatile_read##size(void *address) { touch(address, size, false, __builtin_return_address(0)); } \
  void __tsan_volatile_write##size(void *address) { touch(address, size, true, __builtin_return_address(0)); }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)

void __tsan_vptr_read(void **address) { touch(address, sizeof *address, false, __builtin_return_address(0)); }
void __tsan_vptr_update(void **address, void *value) {
  (void)value;
  touch(address, sizeof *address, true, __builtin_return_address(0));
}
void __tsan_read_range(void *address, unsigned long size) { touch(address, size, false, __builtin_return_address(0)); }
void __tsan_write_range(void *address, unsigned long size) { touch(address, size, true, __builtin_return_address(0)); }
// An access by way of a value's owner: the accesses of its memory are told apart from it.
void __tsan_external_read(void *address, void *caller, void *tag) { (void)address, (void)caller, (void)tag; }
void __tsan_external_write(void *address, void *caller, void *tag) { (void)address, (void)caller, (void)tag; }

void *__tsan_memset(void *to, int byte, unsigned long size) {
  touch(to, size, true, __builtin_return_address(0));
  return memset(to, byte, size);
}
void *__tsan_memcpy(void *to, const void *from, unsigned long size) {
  touch(from, size, false, __builtin_return_address(0));
  touch(to, size, true, __builtin_return_address(0));
  return memcpy(to, from, size);
}
void *__tsan_memmove(void *to, const void *from, unsigned long size) {
  touch(from, size, false, __builtin_return_address(0));
  touch(to, size, true, __builtin_return_address(0));
  return memmove(to, from, size);
}

// MARK: Atomic operations

// C's memory orders, as the compiler hands them over: relaxed, consume, acquire, release, both, sequential.
enum { RELAXED, CONSUME, ACQUIRE, RELEASE, ACQUIRE_RELEASE, SEQUENTIAL };

static void point(const volatile void *address, int order, ci_atomic operation) {
  void *me = ci_entity();
  if (me == NULL || ignored != 0) return;
  bool acquires = operation != CI_STORES && (order == CONSUME || order == ACQUIRE || order >= ACQUIRE_RELEASE);
  bool releases = operation != CI_LOADS && (order == RELEASE || order >= ACQUIRE_RELEASE);
  ci_hooks.atomic(me, (const void *)address, operation, acquires, releases);
}

// The operation comes after its point, and nobody else runs in between: any order would do for it.
#define ATOMIC(bits, type) \
  type __tsan_atomic##bits##_load(const volatile type *a, int order) { \
    point(a, order, CI_LOADS); \
    return __atomic_load_n(a, __ATOMIC_SEQ_CST); \
  } \
  void __tsan_atomic##bits##_store(volatile type *a, type value, int order) { \
    point(a, order, CI_STORES); \
    __atomic_store_n(a, value, __ATOMIC_SEQ_CST); \
  } \
  type __tsan_atomic##bits##_exchange(volatile type *a, type value, int order) { \
    point(a, order, CI_CHANGES); \
    return __atomic_exchange_n(a, value, __ATOMIC_SEQ_CST); \
  } \
  type __tsan_atomic##bits##_fetch_add(volatile type *a, type value, int order) { \
    point(a, order, CI_CHANGES); \
    return __atomic_fetch_add(a, value, __ATOMIC_SEQ_CST); \
  } \
  type __tsan_atomic##bits##_fetch_sub(volatile type *a, type value, int order) { \
    point(a, order, CI_CHANGES); \
    return __atomic_fetch_sub(a, value, __ATOMIC_SEQ_CST); \
  } \
  type __tsan_atomic##bits##_fetch_and(volatile type *a, type value, int order) { \
    point(a, order, CI_CHANGES); \
    return __atomic_fetch_and(a, value, __ATOMIC_SEQ_CST); \
  } \
  type __tsan_atomic##bits##_fetch_or(volatile type *a, type value, int order) { \
    point(a, order, CI_CHANGES); \
    return __atomic_fetch_or(a, value, __ATOMIC_SEQ_CST); \
  } \
  type __tsan_atomic##bits##_fetch_xor(volatile type *a, type value, int order) { \
    point(a, order, CI_CHANGES); \
    return __atomic_fetch_xor(a, value, __ATOMIC_SEQ_CST); \
  } \
  type __tsan_atomic##bits##_fetch_nand(volatile type *a, type value, int order) { \
    point(a, order, CI_CHANGES); \
    return __atomic_fetch_nand(a, value, __ATOMIC_SEQ_CST); \
  } \
  type __tsan_atomic##bits##_compare_exchange_val( \
      volatile type *a, type expected, type value, int order, int failure) { \
    (void)failure; \
    point(a, order, CI_CHANGES); \
    __atomic_compare_exchange_n(a, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    return expected; \
  } \
  int __tsan_atomic##bits##_compare_exchange_strong( \
      volatile type *a, type *expected, type value, int order, int failure) { \
    (void)failure; \
    point(a, order, CI_CHANGES); \
    return __atomic_compare_exchange_n(a, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
  } \
  int __tsan_atomic##bits##_compare_exchange_weak( \
      volatile type *a, type *expected, type value, int order, int failure) { \
    (void)failure; \
    point(a, order, CI_CHANGES); \
    return __atomic_compare_exchange_n(a, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
  }
ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)

void __tsan_atomic_thread_fence(int order) {
  (void)order;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int order) { (void)order; }

// MARK: What the C library and the runtime say about memory

extern void __libc_free(void *);

// Memory that comes back is another's: what was done with it is forgotten.
void free(void *memory) {
  void *me = memory == NULL ? NULL : ci_entity();
  if (me != NULL) ci_hooks.freed_memory(me, memory, malloc_usable_size(memory));
  __libc_free(memory);
}

// What a global's first use made comes before each use.
void swift_once(intptr_t *token, void (*body)(void *), void *context) {
  static void (*real)(intptr_t *, void (*)(void *), void *);
  if (real == NULL) real = dlsym(RTLD_NEXT, "swift_once");
  real(token, body, context);
  void *me = ci_entity();
  if (me != NULL) ci_hooks.made_once(me, token);
}

// MARK: What tasks wait for

#define NEXT(name, type) \
  ({ \
    static _Atomic(void *) found; \
    void *next = atomic_load_explicit(&found, memory_order_relaxed); \
    if (next == NULL) { \
      next = dlsym(RTLD_NEXT, name); \
      atomic_store_explicit(&found, next, memory_order_relaxed); \
    } \
    (type) next; \
  })

// Each job, whoever runs it: the instrumented code that it calls is not called by whoever runs it.
SWIFT void swift_job_run(void *job, ci_executor executor) {
  typedef SWIFT void (*run)(void *, ci_executor);
  void *me = ci_entity();
  int before = depth;
  depth = 0;
  if (me != NULL) ci_hooks.job_begins(me, ci_task_number(job));
  NEXT("swift_job_run", run)(job, executor);
  if (me != NULL) ci_hooks.job_ends(me);
  depth = before;
}

static void awaits(void *task) {
  void *me = ci_entity();
  if (me != NULL && task != NULL) ci_hooks.awaits(me, ci_task_number(task));
}

// The getters of a task's value and its result, by the names that Swift gives them: an indirect result, the task, and what is
// known of the types.
#define AWAITS(function, symbol) \
  SWIFT_ASYNC void function(ASYNC_CONTEXT void *, void *, void *, void *, void *, void *) __asm__(symbol); \
  SWIFT_ASYNC void function( \
      ASYNC_CONTEXT void *context, void *result, void *task, void *first, void *second, void *third) { \
    typedef SWIFT_ASYNC void (*getter)(ASYNC_CONTEXT void *, void *, void *, void *, void *, void *); \
    awaits(task); \
    __attribute__((musttail)) return NEXT(symbol, getter)(context, result, task, first, second, third); \
  }
AWAITS(throwing_value, "$sScT5valuexvg")
AWAITS(value, "$sScTss5NeverORs_rlE5valuexvg")
AWAITS(result, "$sScT6results6ResultOyxq_Gvg")

extern SWIFT size_t swift_task_getJobFlags(void *job);
enum { JOB_KIND = 0xFF, IS_TASK = 0 };

SWIFT void swift_asyncLet_begin(
    void *child, void *options, const void *type, void *function, void *context, void *buffer) {
  typedef SWIFT void (*begin)(void *, void *, const void *, void *, void *, void *);
  void *me = ci_entity();
  ci_route.enqueued = NULL;
  NEXT("swift_asyncLet_begin", begin)(child, options, type, function, context, buffer);
  // One that begins on an actor is not enqueued itself: which task it is stays unknown.
  void *job = ci_route.enqueued;
  if (me != NULL && job != NULL && (swift_task_getJobFlags(job) & JOB_KIND) == IS_TASK) {
    ci_hooks.child_made(me, child, ci_task_number(job));
  }
}

#define AWAITS_CHILD(name) \
  SWIFT_ASYNC void name( \
      ASYNC_CONTEXT void *context, void *child, void *result, void *function, void *call_context) { \
    typedef SWIFT_ASYNC void (*await)(ASYNC_CONTEXT void *, void *, void *, void *, void *); \
    void *me = ci_entity(); \
    if (me != NULL) ci_hooks.awaits_child(me, child); \
    __attribute__((musttail)) return NEXT(#name, await)(context, child, result, function, call_context); \
  }
AWAITS_CHILD(swift_asyncLet_get)
AWAITS_CHILD(swift_asyncLet_get_throwing)
AWAITS_CHILD(swift_asyncLet_finish)

#else
#include "cinterleaving.h"
bool ci_is_deep(void) { return false; }
#endif
