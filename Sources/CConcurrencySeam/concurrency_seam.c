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

static _Atomic(struct concurrency_seam_listener *) first_listener = NULL;

void concurrency_seam_add_listener(struct concurrency_seam_listener *added) {
  added->next = atomic_load_explicit(&first_listener, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(
      &first_listener, &added->next, added, memory_order_acq_rel, memory_order_relaxed)) {}
  atomic_fetch_or_explicit(&concurrency_seam_word, LISTENER_LISTENS, memory_order_release);
}

#define TELL(event, ...) \
  for (const struct concurrency_seam_listener *heard = atomic_load_explicit(&first_listener, memory_order_acquire); \
       heard != NULL; heard = heard->next) \
  if (heard->event != NULL) heard->event(__VA_ARGS__)

void concurrency_seam_will_acquire(const void *lock) { TELL(will_acquire, lock); }

void concurrency_seam_did_acquire(const void *lock) {
  TELL(did_acquire, lock);
#ifdef UNDER_THREAD_SANITIZER
  __tsan_acquire((void *)lock);
#endif
}

void concurrency_seam_will_release(const void *lock) {
#ifdef UNDER_THREAD_SANITIZER
  __tsan_release((void *)lock);
#endif
  TELL(will_release, lock);
}

void concurrency_seam_did_release(const void *lock) { TELL(did_release, lock); }
void concurrency_seam_pass(const char *label, const void *object) { TELL(pass, label, object); }
