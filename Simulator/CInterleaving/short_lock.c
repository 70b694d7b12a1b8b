// A lock that sleeps in the system itself, past everything that is interposed, so that the scheduler's own code may take it.
#include "context.h"

#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>

enum { FREE, TAKEN, WAITED_FOR };

void ci_short_lock(uint32_t *word) {
  _Atomic(uint32_t) *lock = (_Atomic(uint32_t) *)word;
  uint32_t seen = FREE;
  if (atomic_compare_exchange_strong_explicit(lock, &seen, TAKEN, memory_order_acquire, memory_order_relaxed)) return;
  // Who has slept cannot know whether others sleep still.
  while (atomic_exchange_explicit(lock, WAITED_FOR, memory_order_acquire) != FREE) {
    ci_syscall(SYS_futex, (long)lock, FUTEX_WAIT_PRIVATE, WAITED_FOR, 0, 0, 0);
  }
}

void ci_short_unlock(uint32_t *word) {
  _Atomic(uint32_t) *lock = (_Atomic(uint32_t) *)word;
  if (atomic_exchange_explicit(lock, FREE, memory_order_release) == WAITED_FOR) {
    ci_syscall(SYS_futex, (long)lock, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
  }
}
