#ifndef CONCURRENCY_SEAM_H
#define CONCURRENCY_SEAM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

// Who listens to locks and scheduling points. Every function is called on the thread that passes,
// and gets the identity of the object: the address of the lock, or what the point names. NULL for what it does not hear.
struct concurrency_seam_listener {
  void (*will_acquire)(const void *lock);
  void (*did_acquire)(const void *lock);
  void (*will_release)(const void *lock);
  void (*did_release)(const void *lock);
  void (*pass)(const char *label, const void *object);
  // The one that was added before.
  struct concurrency_seam_listener *next;
};

// Zero while nobody listens, which is always so in production: the one word that a lock reads.
extern _Atomic(uint32_t) concurrency_seam_word;

// A header function, because Swift cannot read a C atomic, and because the check must be inlined.
static inline bool concurrency_seam_listens(void) {
  return __builtin_expect(
      atomic_load_explicit(&concurrency_seam_word, memory_order_relaxed) != 0, false);
}

void concurrency_seam_will_acquire(const void *lock);
void concurrency_seam_did_acquire(const void *lock);
void concurrency_seam_will_release(const void *lock);
void concurrency_seam_did_release(const void *lock);
void concurrency_seam_pass(const char *label, const void *object);

// Adds a listener of this process, for good: it is never freed, and hears of every thread.
void concurrency_seam_add_listener(struct concurrency_seam_listener *listener);

#endif
