// System calls, clocks, sleeps and randomness.
//
// What blocks in Synchronization.Mutex, in the Swift runtime and in Dispatch blocks through `syscall`; the C library's
// own calls of the kernel are inlined in it and stay as they are.
#define _GNU_SOURCE
#include "context.h"
#include "route.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "uninstrumented.h"

#if defined(__linux__)

static void *real_syscall, *real_clock_gettime, *real_gettimeofday, *real_time, *real_nanosleep, *real_clock_nanosleep,
    *real_usleep, *real_sleep, *real_sched_yield, *real_getrandom, *real_getentropy, *real_arc4random,
    *real_arc4random_buf, *real_arc4random_uniform, *real_read;

__attribute__((constructor(101))) static void find_real(void) {
#define FIND(name) real_##name = ci_real(#name)
  FIND(syscall);
  FIND(clock_gettime);
  FIND(gettimeofday);
  FIND(time);
  FIND(nanosleep);
  FIND(clock_nanosleep);
  FIND(usleep);
  FIND(sleep);
  FIND(sched_yield);
  FIND(getrandom);
  FIND(getentropy);
  FIND(arc4random);
  FIND(arc4random_buf);
  FIND(arc4random_uniform);
  FIND(read);
}

#define REAL(name) \
  ({ \
    if (__builtin_expect(real_##name == NULL, false)) find_real(); \
    (__typeof__(&name))real_##name; \
  })

static uint64_t nanoseconds_of(const struct timespec *time) {
  return (uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_nsec;
}

// MARK: Words of the kernel's

typedef _Atomic(uint32_t) word;

// How many threads outside every world are in the kernel for a lock: only for them must it be given on there.
static _Atomic(int32_t) outside;

static int32_t my_number(void) { return ci_running()->number; }

// A lock whose word is its owner's number: Mutex and the runtime's own.
static long lock_word(void *me, word *at, uint64_t deadline) {
  for (;;) {
    uint32_t seen = 0;
    if (atomic_compare_exchange_strong(at, &seen, (uint32_t)my_number())) {
      ci_announce_acquire(at);
      return 0;
    }
    int32_t owner = (int32_t)(seen & FUTEX_TID_MASK);
    if (owner == my_number()) {
      ci_hooks.reentered(me, at);
      errno = EDEADLK;
      return -1;
    }
    if (!ci_hooks.owns(me, owner)) {
      // Held outside every world: it comes back by itself.
      REAL(sched_yield)();
      continue;
    }
    // Whoever gives the lock back has to say so: without the mark that would be one instruction that nobody sees.
    if (!atomic_compare_exchange_strong(at, &seen, seen | FUTEX_WAITERS)) continue;
    if (!ci_hooks.wait(me, at, CI_WAITS_FOR_LOCK, owner, deadline)) {
      errno = ETIMEDOUT;
      return -1;
    }
  }
}

static long try_word(word *at) {
  uint32_t none = 0;
  if (atomic_compare_exchange_strong(at, &none, (uint32_t)my_number())) {
    ci_announce_acquire(at);
    return 0;
  }
  errno = EAGAIN;
  return -1;
}

// In the scheduler's own code only a thread outside the world can hold what it wants, for a moment.
static long lock_word_in_kernel(word *at) {
  uint32_t none = 0;
  while (!atomic_compare_exchange_strong(at, &none, (uint32_t)my_number())) {
    none = 0;
    REAL(sched_yield)();
  }
  return 0;
}

// `me` is NULL in the scheduler's own code.
static long unlock_word(void *me, word *at) {
  ci_announce_release(at);
  uint32_t mine = (uint32_t)my_number();
  if (!atomic_compare_exchange_strong(at, &mine, 0)) {
    // A thread outside the world waits in the kernel, which only lets the owner's own thread give the lock on.
    if ((mine & FUTEX_WAITERS) != 0 && atomic_load(&outside) > 0) {
      ci_unlock_from_thread(ci_running(), (void *)at);
    } else {
      atomic_store(at, 0);
    }
  }
  if (me != NULL) ci_wake(me, (const void *)at, true);
  return 0;
}

static long on_word(void *me, word *at, int operation, uint32_t value, const struct timespec *time, bool *taken) {
  *taken = true;
  uint64_t deadline = UINT64_MAX;
  switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_LOCK_PI:
    case FUTEX_LOCK_PI2:
      if (time != NULL) deadline = ci_deadline_of(nanoseconds_of(time));
      return lock_word(me, at, deadline);
    case FUTEX_TRYLOCK_PI: return try_word(at);
    case FUTEX_UNLOCK_PI: return unlock_word(me, at);
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
      if (atomic_load(at) != value) {
        errno = EAGAIN;
        return -1;
      }
      if (time != NULL) {
        bool is_relative = (operation & FUTEX_CMD_MASK) == FUTEX_WAIT;
        deadline = is_relative ? ci_hooks.now(me) + nanoseconds_of(time) : ci_deadline_of(nanoseconds_of(time));
      }
      if (ci_hooks.wait(me, (const void *)at, CI_WAITS_FOR_WORD, 0, deadline)) return 0;
      errno = ETIMEDOUT;
      return -1;
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
      ci_wake(me, (const void *)at, value != 1);
      *taken = false;
      return 0;
    default: *taken = false; return 0;
  }
}

long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long), d = va_arg(list, long),
       e = va_arg(list, long), f = va_arg(list, long);
  va_end(list);
  // In the scheduler's own code as well: a Mutex keeps the number that its thread was first told.
  if (number == SYS_gettid && ci_route.simulated != NULL) return my_number();
  void *me = ci_entity();
  if (me == NULL && ci_route.simulated != NULL && number == SYS_futex) {
    // The system knows the thread by another number than the lock does.
    int operation = (int)b & FUTEX_CMD_MASK;
    if (operation == FUTEX_LOCK_PI || operation == FUTEX_LOCK_PI2) return lock_word_in_kernel((word *)a);
    if (operation == FUTEX_UNLOCK_PI) return unlock_word(NULL, (word *)a);
  }
  if (me != NULL) {
    switch (number) {
      case SYS_getrandom: ci_hooks.random(me, (void *)a, (size_t)b); return b;
      case SYS_futex: {
        bool taken;
        long result = on_word(me, (word *)a, (int)b, (uint32_t)c, (const struct timespec *)d, &taken);
        if (taken) return result;
        break;
      }
      default: break;
    }
  }
  bool is_outside = number == SYS_futex && ((int)b & FUTEX_CMD_MASK) == FUTEX_LOCK_PI;
  if (is_outside) atomic_fetch_add(&outside, 1);
  long result = REAL(syscall)(number, a, b, c, d, e, f);
  if (is_outside) atomic_fetch_sub(&outside, 1);
  return result;
}

// The hand-over between threads must stay hidden from ThreadSanitizer, and so must this.
__attribute__((disable_sanitizer_instrumentation)) long ci_syscall(
    long number, long a, long b, long c, long d, long e, long f) {
  return REAL(syscall)(number, a, b, c, d, e, f);
}

// MARK: Clocks

// In a world it is 2001, so that no date is before its file's, and the machine has been up for a while.
enum { WALL_SECONDS = 1000000000 };

static uint64_t world_time(void *me, clockid_t clock) {
  uint64_t now = ci_hooks.now(me);
  bool is_wall = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
  return is_wall ? now + WALL_SECONDS * 1000000000ull : now;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  void *me = ci_entity();
  if (me == NULL) return REAL(clock_gettime)(clock, time);
  uint64_t now = world_time(me, clock);
  time->tv_sec = (time_t)(now / 1000000000u);
  time->tv_nsec = (long)(now % 1000000000u);
  return 0;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  void *me = ci_entity();
  if (me == NULL) return REAL(gettimeofday)(time, zone);
  uint64_t now = world_time(me, CLOCK_REALTIME);
  time->tv_sec = (time_t)(now / 1000000000u);
  time->tv_usec = (suseconds_t)(now % 1000000000u / 1000u);
  return 0;
}

time_t time(time_t *into) {
  void *me = ci_entity();
  if (me == NULL) return REAL(time)(into);
  time_t now = (time_t)(world_time(me, CLOCK_REALTIME) / 1000000000u);
  if (into != NULL) *into = now;
  return now;
}

// A deadline that a caller gives is of the wall clock where it is later than the world's own time can be.
uint64_t ci_deadline_of(uint64_t nanoseconds) {
  uint64_t wall = WALL_SECONDS * 1000000000ull;
  return nanoseconds != UINT64_MAX && nanoseconds >= wall ? nanoseconds - wall : nanoseconds;
}

// No system comes back sooner: who sleeps again until a clock that counts in coarser steps has passed would sleep for ever.
enum { SHORTEST_SLEEP = 1000 };

static void sleep_for(void *me, uint64_t nanoseconds) {
  ci_hooks.sleep_until(me, ci_hooks.now(me) + (nanoseconds < SHORTEST_SLEEP ? SHORTEST_SLEEP : nanoseconds));
}

int nanosleep(const struct timespec *time, struct timespec *rest) {
  void *me = ci_entity();
  if (me == NULL) return REAL(nanosleep)(time, rest);
  sleep_for(me, nanoseconds_of(time));
  return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *rest) {
  void *me = ci_entity();
  if (me == NULL) return REAL(clock_nanosleep)(clock, flags, time, rest);
  uint64_t nanoseconds = nanoseconds_of(time);
  if ((flags & TIMER_ABSTIME) != 0) {
    ci_hooks.sleep_until(me, ci_deadline_of(nanoseconds));
  } else {
    sleep_for(me, nanoseconds);
  }
  return 0;
}

int usleep(useconds_t microseconds) {
  void *me = ci_entity();
  if (me == NULL) return REAL(usleep)(microseconds);
  sleep_for(me, microseconds * 1000ull);
  return 0;
}

unsigned int sleep(unsigned int seconds) {
  void *me = ci_entity();
  if (me == NULL) return REAL(sleep)(seconds);
  sleep_for(me, seconds * 1000000000ull);
  return 0;
}

int sched_yield(void) {
  void *me = ci_entity();
  if (me == NULL) return REAL(sched_yield)();
  ci_hooks.point(me, "sched_yield");
  return 0;
}

// MARK: Randomness

ssize_t getrandom(void *bytes, size_t count, unsigned int flags) {
  void *me = ci_entity();
  if (me == NULL) return REAL(getrandom)(bytes, count, flags);
  ci_hooks.random(me, bytes, count);
  return (ssize_t)count;
}

int getentropy(void *bytes, size_t count) {
  void *me = ci_entity();
  if (me == NULL) return REAL(getentropy)(bytes, count);
  ci_hooks.random(me, bytes, count);
  return 0;
}

// Foundation's UUID reads the device.
static bool is_random_device(int file) {
  struct stat status;
  return fstat(file, &status) == 0 && S_ISCHR(status.st_mode) &&
         (status.st_rdev == makedev(1, 8) || status.st_rdev == makedev(1, 9));
}

ssize_t read(int file, void *bytes, size_t count) {
  void *me = ci_entity();
  if (me == NULL || !is_random_device(file)) return REAL(read)(file, bytes, count);
  ci_hooks.random(me, bytes, count);
  return (ssize_t)count;
}

#if __GLIBC_PREREQ(2, 36)
uint32_t arc4random(void) {
  void *me = ci_entity();
  if (me == NULL) return REAL(arc4random)();
  uint32_t number;
  ci_hooks.random(me, &number, sizeof number);
  return number;
}

void arc4random_buf(void *bytes, size_t count) {
  void *me = ci_entity();
  if (me == NULL) {
    REAL(arc4random_buf)(bytes, count);
  } else {
    ci_hooks.random(me, bytes, count);
  }
}

uint32_t arc4random_uniform(uint32_t bound) {
  void *me = ci_entity();
  if (me == NULL) return REAL(arc4random_uniform)(bound);
  uint32_t number;
  ci_hooks.random(me, &number, sizeof number);
  return (uint32_t)(((uint64_t)number * bound) >> 32);
}
#endif

#endif

#ifdef __clang__
#pragma clang attribute pop
#endif
