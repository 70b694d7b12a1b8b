#include "concurrency_seam.h"

#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define UNDER_THREAD_SANITIZER 1
// ThreadSanitizer does not see the slow path of Synchronization.Mutex, which lives in a library
// that is not instrumented, and would report false races: the lock is announced to it.
void __tsan_acquire(void *address);
void __tsan_release(void *address);
#endif
#endif

enum { SANITIZER_LISTENS = 1, LISTENER_LISTENS = 2 };

#ifdef UNDER_THREAD_SANITIZER
_Atomic(uint32_t) concurrency_seam_word = SANITIZER_LISTENS;
#else
_Atomic(uint32_t) concurrency_seam_word = 0;
#endif

static _Atomic(const struct concurrency_seam_listener *) current_listener = NULL;

static const struct concurrency_seam_listener *listener(void) {
  return atomic_load_explicit(&current_listener, memory_order_acquire);
}

void concurrency_seam_set_listener(const struct concurrency_seam_listener *new_listener) {
  atomic_store_explicit(&current_listener, new_listener, memory_order_release);
  if (new_listener != NULL) {
    atomic_fetch_or_explicit(&concurrency_seam_word, LISTENER_LISTENS, memory_order_release);
  } else {
    atomic_fetch_and_explicit(&concurrency_seam_word, ~(uint32_t)LISTENER_LISTENS, memory_order_release);
  }
}

void concurrency_seam_will_acquire(const void *lock) {
  const struct concurrency_seam_listener *heard = listener();
  if (heard != NULL) heard->will_acquire(lock);
}

void concurrency_seam_did_acquire(const void *lock) {
  const struct concurrency_seam_listener *heard = listener();
  if (heard != NULL) heard->did_acquire(lock);
#ifdef UNDER_THREAD_SANITIZER
  __tsan_acquire((void *)lock);
#endif
}

void concurrency_seam_will_release(const void *lock) {
#ifdef UNDER_THREAD_SANITIZER
  __tsan_release((void *)lock);
#endif
  const struct concurrency_seam_listener *heard = listener();
  if (heard != NULL) heard->will_release(lock);
}

void concurrency_seam_did_release(const void *lock) {
  const struct concurrency_seam_listener *heard = listener();
  if (heard != NULL) heard->did_release(lock);
}

void concurrency_seam_pass(const char *label, const void *object) {
  const struct concurrency_seam_listener *heard = listener();
  if (heard != NULL) heard->pass(label, object);
}
