// pthread locks, conditions and semaphores.
//
// Each tries the real operation first: what does not have to wait is what it would be without a world, and the lock's
// own state stays true. What has to wait asks the world, and tries again. So a lock that nobody contends for costs a
// world nothing, and the locks that the Swift runtime and the C library hold are known by the owner that they keep.
#define _GNU_SOURCE
#include "context.h"
#include "route.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>

#include "uninstrumented.h"

#if defined(__linux__)

static void *real_pthread_mutex_lock, *real_pthread_mutex_trylock, *real_pthread_mutex_unlock,
    *real_pthread_mutex_timedlock, *real_pthread_mutex_clocklock, *real_pthread_cond_wait, *real_pthread_cond_timedwait,
    *real_pthread_cond_clockwait, *real_pthread_cond_signal, *real_pthread_cond_broadcast, *real_pthread_rwlock_rdlock,
    *real_pthread_rwlock_tryrdlock, *real_pthread_rwlock_wrlock, *real_pthread_rwlock_trywrlock,
    *real_pthread_rwlock_unlock, *real_sem_wait, *real_sem_trywait, *real_sem_timedwait, *real_sem_post,
    *real_pthread_create, *real_pthread_join, *real_pthread_barrier_wait;

// In a constructor, not at the first call: a first call may come from inside the loader.
__attribute__((constructor(101))) static void find_real(void) {
#define FIND(name) real_##name = ci_real(#name)
  FIND(pthread_mutex_lock);
  FIND(pthread_mutex_trylock);
  FIND(pthread_mutex_unlock);
  FIND(pthread_mutex_timedlock);
  FIND(pthread_mutex_clocklock);
  FIND(pthread_cond_wait);
  FIND(pthread_cond_timedwait);
  FIND(pthread_cond_clockwait);
  FIND(pthread_cond_signal);
  FIND(pthread_cond_broadcast);
  FIND(pthread_rwlock_rdlock);
  FIND(pthread_rwlock_tryrdlock);
  FIND(pthread_rwlock_wrlock);
  FIND(pthread_rwlock_trywrlock);
  FIND(pthread_rwlock_unlock);
  FIND(sem_wait);
  FIND(sem_trywait);
  FIND(sem_timedwait);
  FIND(sem_post);
  FIND(pthread_create);
  FIND(pthread_join);
  FIND(pthread_barrier_wait);
}

// Other constructors, of higher rank or of a library, may come first.
#define REAL(name) \
  ({ \
    if (__builtin_expect(real_##name == NULL, false)) find_real(); \
    (__typeof__(&name))real_##name; \
  })

static uint64_t deadline_of(const struct timespec *time) {
  return ci_deadline_of((uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_nsec);
}

// MARK: Mutexes

// A lock that a thread outside every world holds, which comes back by itself however long that takes: the watchdog is
// told not to wonder.
static int lock_held_outside(pthread_mutex_t *mutex) {
  ci_record *record = ci_route.record;
  if (record != NULL) record->waits_outside++;
  int result = REAL(pthread_mutex_lock)(mutex);
  if (record != NULL) record->waits_outside--;
  return result;
}

static int lock_until(void *me, pthread_mutex_t *mutex, uint64_t deadline) {
  for (;;) {
    int result = REAL(pthread_mutex_trylock)(mutex);
    if (result != EBUSY) {
      if ((result == 0 || result == EOWNERDEAD) && ci_route.follows_order) ci_hooks.acquired(me, mutex);
      return result;
    }
    int32_t owner = mutex->__data.__owner;
    if (owner == ci_running()->number) {
      // Of a kind that checks itself, or a deadlock with itself.
      if ((mutex->__data.__kind & 3) == PTHREAD_MUTEX_ERRORCHECK_NP) return EDEADLK;
      ci_hooks.reentered(me, mutex);
    }
    // Held outside every world, or being taken there (no owner yet): it comes back by itself.
    if (!ci_hooks.owns(me, owner)) return lock_held_outside(mutex);
    if (!ci_hooks.wait(me, mutex, CI_WAITS_FOR_LOCK, owner, deadline)) return ETIMEDOUT;
  }
}

// The caches of the Swift runtime's core take their locks at times that depend on what the process did before: they are
// no scheduling points.
static struct range {
  uintptr_t inside, start, end;
} core, dispatch;

static int find_range(struct dl_phdr_info *image, size_t size, void *raw) {
  (void)size;
  struct range *range = raw;
  for (int i = 0; i < image->dlpi_phnum; i++) {
    uintptr_t start = image->dlpi_addr + image->dlpi_phdr[i].p_vaddr, end = start + image->dlpi_phdr[i].p_memsz;
    if (image->dlpi_phdr[i].p_type != PT_LOAD || range->inside < start || range->inside >= end) continue;
    range->start = start;
    range->end = end;
    return 1;
  }
  return 0;
}
__attribute__((constructor(102))) static void know_libraries(void) {
  core.inside = (uintptr_t)dlsym(RTLD_DEFAULT, "swift_getGenericMetadata");
  dispatch.inside = (uintptr_t)dlsym(RTLD_DEFAULT, "dispatch_main");
  dl_iterate_phdr(find_range, &core);
  dl_iterate_phdr(find_range, &dispatch);
}
static bool is_in(const struct range *range, const void *caller) {
  return (uintptr_t)caller >= range->start && (uintptr_t)caller < range->end;
}
static void point_at_lock(void *me, const void *caller) {
  if (!is_in(&core, caller)) ci_hooks.point(me, "pthread_mutex_lock");
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  // Read here and kept: the rest is unlikely, and may be made a function of its own with another return address.
  const void *caller = __builtin_return_address(0);
  __asm__ volatile("" : "+r"(caller));
  void *me = ci_entity();
  if (me == NULL) return ci_route.simulated == NULL ? REAL(pthread_mutex_lock)(mutex) : lock_held_outside(mutex);
  point_at_lock(me, caller);
  return lock_until(me, mutex, UINT64_MAX);
}

int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *time) {
  void *me = ci_entity();
  if (me == NULL) return REAL(pthread_mutex_timedlock)(mutex, time);
  return lock_until(me, mutex, deadline_of(time));
}

int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *time) {
  void *me = ci_entity();
  if (me == NULL) return REAL(pthread_mutex_clocklock)(mutex, clock, time);
  return lock_until(me, mutex, deadline_of(time));
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
  void *me = ci_entity();
  int result = REAL(pthread_mutex_trylock)(mutex);
  if (me != NULL && result == 0 && ci_route.follows_order) ci_hooks.acquired(me, mutex);
  return result;
}

static int unlock(void *me, pthread_mutex_t *mutex) {
  if (ci_route.follows_order) ci_hooks.released(me, mutex);
  int result = REAL(pthread_mutex_unlock)(mutex);
  ci_wake(me, mutex, true);
  return result;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  void *me = ci_entity();
  return me == NULL ? REAL(pthread_mutex_unlock)(mutex) : unlock(me, mutex);
}

// MARK: Conditions

static int wait_until(void *me, pthread_cond_t *condition, pthread_mutex_t *mutex, uint64_t deadline) {
  // No point between the two: the wait begins before the lock is free.
  if (ci_route.follows_order) ci_hooks.released(me, mutex);
  REAL(pthread_mutex_unlock)(mutex);
  ci_wake(me, mutex, true);
  bool woken = ci_hooks.wait(me, condition, CI_WAITS_FOR_CONDITION, 0, deadline);
  int result = lock_until(me, mutex, UINT64_MAX);
  return result != 0 ? result : woken ? 0 : ETIMEDOUT;
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  void *me = ci_entity();
  if (me == NULL) return REAL(pthread_cond_wait)(condition, mutex);
  return wait_until(me, condition, mutex, UINT64_MAX);
}

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *time) {
  void *me = ci_entity();
  if (me == NULL) return REAL(pthread_cond_timedwait)(condition, mutex, time);
  return wait_until(me, condition, mutex, deadline_of(time));
}

int pthread_cond_clockwait(
    pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *time) {
  void *me = ci_entity();
  if (me == NULL) return REAL(pthread_cond_clockwait)(condition, mutex, clock, time);
  return wait_until(me, condition, mutex, deadline_of(time));
}

int pthread_cond_signal(pthread_cond_t *condition) {
  void *me = ci_entity();
  if (me != NULL) ci_wake(me, condition, false);
  return REAL(pthread_cond_signal)(condition);
}

int pthread_cond_broadcast(pthread_cond_t *condition) {
  void *me = ci_entity();
  if (me != NULL) ci_wake(me, condition, true);
  return REAL(pthread_cond_broadcast)(condition);
}

// MARK: Locks with readers

static int read_or_write(void *me, pthread_rwlock_t *lock, int (*attempt)(pthread_rwlock_t *)) {
  for (;;) {
    int result = attempt(lock);
    if (result != EBUSY) {
      if (result == 0 && ci_route.follows_order) ci_hooks.acquired(me, lock);
      return result;
    }
    int32_t writer = lock->__data.__cur_writer;
    if (writer != 0 && writer == ci_running()->number) return EDEADLK;
    ci_hooks.wait(me, lock, CI_WAITS_FOR_READERS, writer, UINT64_MAX);
  }
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
  void *me = ci_entity();
  if (me == NULL) return REAL(pthread_rwlock_rdlock)(lock);
  return read_or_write(me, lock, REAL(pthread_rwlock_tryrdlock));
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
  void *me = ci_entity();
  if (me == NULL) return REAL(pthread_rwlock_wrlock)(lock);
  return read_or_write(me, lock, REAL(pthread_rwlock_trywrlock));
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
  void *me = ci_entity();
  if (me != NULL && ci_route.follows_order) ci_hooks.released(me, lock);
  int result = REAL(pthread_rwlock_unlock)(lock);
  if (me != NULL) ci_wake(me, lock, true);
  return result;
}

// MARK: Semaphores

static int take_until(void *me, sem_t *semaphore, uint64_t deadline) {
  for (;;) {
    if (REAL(sem_trywait)(semaphore) == 0) {
      if (ci_route.follows_order) ci_hooks.acquired(me, semaphore);
      return 0;
    }
    if (errno != EAGAIN) return -1;
    if (!ci_hooks.wait(me, semaphore, CI_WAITS_FOR_SEMAPHORE, 0, deadline)) {
      errno = ETIMEDOUT;
      return -1;
    }
  }
}

int sem_wait(sem_t *semaphore) {
  void *me = ci_entity();
  return me == NULL ? REAL(sem_wait)(semaphore) : take_until(me, semaphore, UINT64_MAX);
}

int sem_timedwait(sem_t *semaphore, const struct timespec *time) {
  void *me = ci_entity();
  return me == NULL ? REAL(sem_timedwait)(semaphore, time) : take_until(me, semaphore, deadline_of(time));
}

int sem_post(sem_t *semaphore) {
  void *me = ci_entity();
  if (me != NULL && ci_route.follows_order) ci_hooks.released(me, semaphore);
  int result = REAL(sem_post)(semaphore);
  if (me != NULL) ci_wake(me, semaphore, false);
  return result;
}

// MARK: What is refused

int pthread_create(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
  const void *caller = __builtin_return_address(0);
  __asm__ volatile("" : "+r"(caller));
  void *me = ci_entity();
  // Dispatch may make a worker of its own when the runtime makes a queue: it gets no work of a world's.
  if (me != NULL && !is_in(&dispatch, caller)) ci_hooks.unmodelled(me, "pthread_create");
  return REAL(pthread_create)(thread, attributes, body, argument);
}

int pthread_join(pthread_t thread, void **result) {
  void *me = ci_entity();
  if (me != NULL) ci_hooks.unmodelled(me, "pthread_join");
  return REAL(pthread_join)(thread, result);
}

int pthread_barrier_wait(pthread_barrier_t *barrier) {
  void *me = ci_entity();
  if (me != NULL) ci_hooks.unmodelled(me, "pthread_barrier_wait");
  return REAL(pthread_barrier_wait)(barrier);
}

// MARK: A lock to warm up with

static pthread_mutex_t warm_up = PTHREAD_MUTEX_INITIALIZER;
void ci_warm_up_lock(void) { pthread_mutex_lock(&warm_up); }
void ci_warm_up_unlock(void) { pthread_mutex_unlock(&warm_up); }

#endif

#ifdef __clang__
#pragma clang attribute pop
#endif
