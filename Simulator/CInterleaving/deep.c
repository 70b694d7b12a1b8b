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
#include <stdlib.h>
#include <string.h>

bool ci_is_deep(void) { return true; }

// As much as a fiber has.
enum { STACK_SIZE = 512 * 1024 };

// Between these the compiler says that there is nothing to see: the runtime's own business.
static __thread int ignored;

void __tsan_init(void) {}

// How deep the running context is in instrumented code. From nought it comes from the runtime, which goes on with whatever
// task it likes: what the runtime orders is told then.
static __thread int depth;
void ci_begin_depth(void) { depth = 0; }
void __tsan_func_entry(void *caller) {
  (void)caller;
  if (depth++ > 0) return;
  void *me = ci_entity();
  if (me != NULL && ignored == 0) ci_hooks.entered(me);
}
void __tsan_func_exit(void) { depth--; }
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

#else
#include "cinterleaving.h"
bool ci_is_deep(void) { return false; }
#endif
