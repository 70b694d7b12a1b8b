// The hooks of the Swift runtime's concurrency, and the calls of it that compiled code makes through symbols.
#define _GNU_SOURCE
#include "route.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>

#include "uninstrumented.h"

#define SWIFT __attribute__((swiftcall))
#define SWIFT_ASYNC __attribute__((swiftasynccall))
#define ASYNC_CONTEXT __attribute__((swift_async_context))
#define SWIFT_CONTEXT __attribute__((swift_context))

struct ci_hooks ci_hooks;

typedef SWIFT void (*enqueue_original)(void *job);
typedef SWIFT ci_executor (*main_original)(void);
typedef SWIFT bool (*is_main_original)(ci_executor);
extern SWIFT void (*swift_task_enqueueGlobal_hook)(void *job, enqueue_original);
extern SWIFT ci_executor (*swift_task_getMainExecutor_hook)(main_original);
extern SWIFT bool (*swift_task_isMainExecutor_hook)(ci_executor, is_main_original);
extern SWIFT uint64_t swift_task_getJobTaskId(void *job);

static ci_executor main_executor;

void ci_set_main_executor(ci_executor executor) { main_executor = executor; }
uint64_t ci_task_number(void *job) { return swift_task_getJobTaskId(job); }

static _Atomic(int32_t) running;

void ci_add_running(int32_t difference) { atomic_fetch_add(&running, difference); }

// Whether a thread of no world touches a task of one: it would take the task out of it.
static bool is_foreign(void *task) {
  return ci_route.simulated == NULL && atomic_load_explicit(&running, memory_order_relaxed) > 0 &&
         ci_hooks.held_back(task);
}

static SWIFT void enqueue_hook(void *job, enqueue_original original) {
  void *me = ci_entity();
  if (me != NULL) {
    ci_route.enqueued = job;
    ci_hooks.enqueue(me, job);
  } else if (!is_foreign(job)) {
    original(job);
  }
}

static SWIFT ci_executor main_hook(main_original original) {
  return ci_route.simulated != NULL ? main_executor : original();
}

static SWIFT bool is_main_hook(ci_executor executor, is_main_original original) {
  return executor.identity == main_executor.identity || original(executor);
}

void ci_install(const struct ci_hooks *hooks) {
  ci_hooks = *hooks;
  swift_task_enqueueGlobal_hook = enqueue_hook;
  swift_task_getMainExecutor_hook = main_hook;
  swift_task_isMainExecutor_hook = is_main_hook;
}

// MARK: The life of a task

// The beginning of every asynchronous context: where it goes on when its function returns.
struct async_context {
  struct async_context *parent;
  SWIFT_ASYNC void (*resume_parent)(ASYNC_CONTEXT struct async_context *, SWIFT_CONTEXT void *);
};
struct made {
  void *task;
  struct async_context *context;
};
static void find_real(void);
// A library's own constructors come before this one's, and may already make objects and tasks.
#define REAL(pointer) \
  ({ \
    if (__builtin_expect((pointer) == NULL, false)) find_real(); \
    (pointer); \
  })

typedef SWIFT struct made (*create)(size_t, void *, const void *, void *, void *);

typedef SWIFT_ASYNC void (*resume)(ASYNC_CONTEXT struct async_context *, SWIFT_CONTEXT void *);

extern SWIFT void *swift_task_getCurrent(void);
static create real_create;
// The bit of a task's flags that says that a task group or a parent waits for it.
enum { IS_CHILD = 1 << 8 };

// What the runtime has a task's function return to, which ends the task: a few functions, one for each kind of task.
// In a world one of ours stands before each: it tells the end, and ends the task as it would have ended.
enum { KINDS = 4 };
static _Atomic(resume) complete[KINDS];

static void tell_end(void) {
  void *me = ci_entity();
  if (me != NULL) ci_hooks.task_ended(me, swift_task_getCurrent());
}
#define ENDED(kind) \
  static SWIFT_ASYNC void ended_##kind(ASYNC_CONTEXT struct async_context *context, SWIFT_CONTEXT void *error) { \
    tell_end(); \
    __attribute__((musttail)) return atomic_load_explicit(&complete[kind], memory_order_relaxed)(context, error); \
  }
ENDED(0)
ENDED(1)
ENDED(2)
ENDED(3)
static const resume ended[KINDS] = {ended_0, ended_1, ended_2, ended_3};

SWIFT struct made swift_task_create(size_t flags, void *options, const void *type, void *entry, void *closure) {
  // Who made it, and who called that: the first may be the standard library's, where nothing is inlined.
  void *const *frame = __builtin_frame_address(0);
  const void *maker = frame[1];
  void *const *caller = frame[0];
  __asm__ volatile("" : "+r"(maker), "+r"(caller));
  void *me = ci_entity();
  if (me == NULL) return REAL(real_create)(flags, options, type, entry, closure);
  // A caller without a frame pointer leaves anything there: what is read lies on this stack, a little above.
  bool has_frame = caller > frame && caller - frame < 2048 && (uintptr_t)caller % sizeof caller == 0;
  const void *makers[2] = {maker, has_frame ? caller[1] : maker};
  uint64_t before = ci_hooks.switches(me);
  ci_route.is_making_task = true;
  struct made made = REAL(real_create)(flags, options, type, entry, closure);
  ci_route.is_making_task = false;
  // An executor of the program's own may have let others run, and the task with them: it may be at its end by now.
  if (made.context == NULL || ci_hooks.switches(me) != before) return made;
  resume original = made.context->resume_parent;
  for (int kind = 0; kind < KINDS; kind++) {
    resume known = NULL;
    if (atomic_compare_exchange_strong(&complete[kind], &known, original) || known == original) {
      made.context->resume_parent = ended[kind];
      ci_hooks.task_made(me, made.task, (flags & IS_CHILD) != 0, makers);
      break;
    }
  }
  return made;
}

// Every hop between executors that compiled code makes. One to an idle actor goes on at once, without a job: only its
// order is noted.
typedef SWIFT_ASYNC void (*hop)(ASYNC_CONTEXT struct async_context *, void *, void *, void *);
static hop real_switch;

SWIFT_ASYNC void swift_task_switch(
    ASYNC_CONTEXT struct async_context *context, void *resume_function, void *identity, void *implementation) {
  void *me = ci_entity();
  if (me != NULL && ci_route.follows_order) ci_hooks.switched(me);
  __attribute__((musttail)) return REAL(real_switch)(context, resume_function, identity, implementation);
}

void *ci_task_resumes_at(void *task) {
  // A job: an object's two words, two of the scheduler's, flags and number, voucher, one reserved; then its function.
  return ((void **)task)[7];
}

// MARK: The end of an object

static void (*real_dealloc)(void *, size_t, size_t);

void swift_deallocClassInstance(void *object, size_t size, size_t alignment_mask) {
  void *me = ci_entity();
  if (me != NULL) ci_hooks.freed(me, object, size);
  REAL(real_dealloc)(object, size, alignment_mask);
}

// MARK: Continuations

// A continuation is its task: who resumes it touches it.
extern SWIFT void swift_continuation_resume(void *task);
extern SWIFT void swift_continuation_throwingResume(void *task);
extern SWIFT void swift_continuation_throwingResumeWithError(void *task, void *error);
static SWIFT void (*real_resume)(void *), (*real_throwing_resume)(void *), (*real_throw)(void *, void *);

__attribute__((constructor(101))) static void find_real(void) {
  real_create = (create)dlsym(RTLD_NEXT, "swift_task_create");
  real_switch = (hop)dlsym(RTLD_NEXT, "swift_task_switch");
  real_dealloc = (void (*)(void *, size_t, size_t))dlsym(RTLD_NEXT, "swift_deallocClassInstance");
  real_resume = dlsym(RTLD_NEXT, "swift_continuation_resume");
  real_throwing_resume = dlsym(RTLD_NEXT, "swift_continuation_throwingResume");
  real_throw = dlsym(RTLD_NEXT, "swift_continuation_throwingResumeWithError");
}

// Whether the resumption goes on: a foreign one is held back.
static bool resumes(void *task) {
  void *me = ci_entity();
  if (me != NULL && ci_route.follows_order) ci_hooks.resumes(me, ci_task_number(task));
  return !is_foreign(task);
}
SWIFT void swift_continuation_resume(void *task) {
  if (resumes(task)) REAL(real_resume)(task);
}
SWIFT void swift_continuation_throwingResume(void *task) {
  if (resumes(task)) REAL(real_throwing_resume)(task);
}
SWIFT void swift_continuation_throwingResumeWithError(void *task, void *error) {
  if (resumes(task)) REAL(real_throw)(task, error);
}

#ifdef __clang__
#pragma clang attribute pop
#endif
