#ifndef CINTERLEAVING_H
#define CINTERLEAVING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MARK: Contexts

// A flow of control that only its scheduler moves: of all the contexts of a host, one runs at a time.
typedef struct ci_context ci_context;

// How contexts are made. Fibers switch stacks on one OS thread and borrow the thread-local storage of a parked one;
// threads are pooled OS threads, pinned to one processor, that hand a token over.
typedef enum { CI_FIBERS, CI_THREADS } ci_substrate;

// Whether fibers can be had on this processor and system; they are tried once, not assumed.
bool ci_fibers_work(void);

// The context of the calling OS thread itself, from which the first switch goes out and to which the last returns. One
// host context belongs to one OS thread until it is freed.
ci_context *ci_host_make(ci_substrate substrate);
void ci_host_free(ci_context *host);
// Says that the host runs on the calling OS thread from now on.
void ci_host_adopt(ci_context *host);

// A context that will run the body when it is first switched to. It comes from a pool, and goes back to it when the
// body has returned: the body's last act must be to switch away by ci_finish.
ci_context *ci_context_make(ci_context *host, void (*body)(void *argument), void *argument);

// Leaves the running context for another of the same host; returns when somebody switches back.
void ci_switch(ci_context *from, ci_context *to);

// Leaves the running context for good: it goes back to the pool, and may be used again as soon as `to` runs.
void ci_finish(ci_context *from, ci_context *to);

// Frees a context that is not running and whose body will never return (it waits in a deadlock). Its stack and thread
// are not used again: what they refer to stays as it was.
void ci_abandon(ci_context *context);

// The system's number of the thread whose storage the context uses: what locks keep as their owner.
int32_t ci_context_thread(const ci_context *context);

// Keeps the calling thread on the processor that it runs on: a hand-over within one costs a third of one between two.
void ci_pin_here(void);

// A number for where the calling thread of control is: of the calls that it is in.
uint64_t ci_site(void);

// MARK: Who the calling thread of control is

// What the calling thread of control is in a world: an opaque pointer, NULL outside. Kept in thread-local storage,
// which each context has of its own.
void *ci_simulated(void);
void ci_set_simulated(void *simulated);

// Around every stretch of the scheduler's own code: what it does itself is not the world's. ThreadSanitizer looks away
// as well, because the token that orders the scheduler's memory is hidden from it. They nest.
void ci_enter_kernel(void);
void ci_leave_kernel(void);
// Both questions of a hot path at once: NULL outside every world; else the entity, with the kernel entered.
void *ci_enter_as_entity(void);

// What a program's own threads would have: an entity's beginning comes after its spawning, and the world's end after
// every entity's. Told to ThreadSanitizer; nothing where it is not.
void ci_announce_release(const void *object);
void ci_announce_acquire(const void *object);

// MARK: What is taken over

// What a thread of control waits for.
typedef enum {
  CI_WAITS_FOR_LOCK,
  CI_WAITS_FOR_CONDITION,
  CI_WAITS_FOR_WORD,
  CI_WAITS_FOR_SEMAPHORE,
  CI_WAITS_FOR_GROUP,
  CI_WAITS_FOR_READERS,
} ci_wait_kind;

// The scheduler, as the interposed functions call it. Each gets the entity that calls, and is called outside the kernel.
typedef enum { CI_LOADS, CI_STORES, CI_CHANGES } ci_atomic;
// Whether the program's code was instrumented, and calls deep mode's functions.
bool ci_is_deep(void);
// The running context begins anew, in no instrumented code.
void ci_begin_depth(void);

struct ci_hooks {
  // Waits until somebody wakes the address, or until the deadline in nanoseconds of the world's time (UINT64_MAX:
  // none); false when the deadline came first. The owner is a thread's number, 0 where it is not known.
  bool (*wait)(void *entity, const void *address, ci_wait_kind kind, int32_t owner, uint64_t deadline);
  // Wakes one of those who wait at the address, or all.
  void (*wake)(void *entity, const void *address, bool all);
  // An object is freed, and the locks that lay in it are no more: others may come to be at their addresses.
  void (*freed)(void *entity, const void *object, size_t size);
  // Deep mode's: memory is read or written, an atomic operation is about to come, memory comes back, and a global that is
  // made once is there.
  void (*accessed)(void *entity, const void *address, size_t size, bool is_write, uintptr_t caller);
  void (*atomic)(void *entity, const void *address, ci_atomic operation, bool acquires, bool releases);
  void (*freed_memory)(void *entity, const void *memory, size_t size);
  // A job is about to run, and has; the runtime goes on with a task in instrumented code, on an executor, and takes it back.
  void (*job_begins)(void *entity, uint64_t number);
  void (*job_ends)(void *entity);
  void (*part_begins)(void *entity, uint64_t task, void *executor);
  void (*part_ends)(void *entity, void *executor);
  // The current task is about to wait for another's end; has begun an `async let`; is about to wait for one.
  void (*awaits)(void *entity, uint64_t task);
  void (*child_made)(void *entity, const void *child, uint64_t task);
  void (*awaits_child)(void *entity, const void *child);
  void (*made_once)(void *entity, const void *token);
  // Whether the number is that of one of the world's threads.
  bool (*owns)(void *entity, int32_t thread);
  // A lock that was taken, or is about to be given back, without a wait; told only when the world follows orders.
  void (*acquired)(void *entity, const void *address);
  void (*released)(void *entity, const void *address);
  // A lock that the caller holds already.
  void (*reentered)(void *entity, const void *address);
  // Something that no world takes over was called; does not return.
  void (*unmodelled)(void *entity, const char *name);
  void (*point)(void *entity, const char *label);
  // How often the entity was left for another: whether others ran between two calls.
  uint64_t (*switches)(void *entity);
  uint64_t (*now)(void *entity);
  void (*sleep_until)(void *entity, uint64_t deadline);
  void (*random)(void *entity, void *bytes, size_t count);

  // Swift's concurrency.
  void (*enqueue)(void *entity, void *job);
  // A job of the runtime's that goes through Dispatch, now or at a time.
  void (*enqueue_work)(void *entity, void *context, void (*work)(void *), uint64_t deadline);
  void (*task_made)(void *entity, void *task, bool is_child, const void *const makers[2]);
  void (*task_ended)(void *entity, void *task);
  // A hop between executors, and a continuation's resumption; told only when the world follows orders.
  void (*resumes)(void *entity, uint64_t task);
  void (*switched)(void *entity);
  // A thread outside every world enqueues or resumes a task; true when it belongs to a world, and is held back.
  bool (*held_back)(void *task);

  // Dispatch. `block` says whether work is a block that is called with itself, and is the callee's to release.
  void (*dispatch_async)(void *entity, void *queue, void *context, void (*work)(void *), bool block, bool barrier,
                         void *group);
  void (*dispatch_after)(void *entity, uint64_t deadline, void *queue, void *context, void (*work)(void *), bool block);
  void (*dispatch_sync)(void *entity, void *queue, void *context, void (*work)(void *), bool barrier);
  void (*dispatch_notify)(void *entity, void *group, void *queue, void *context, void (*work)(void *), bool block);
  void (*dispatch_left)(void *entity, void *group);
  // The queue whose work the entity does, innermost first; NULL after the last.
  void *(*dispatch_current)(void *entity, size_t depth);
};

// Installs the hooks of this process, once; those of the Swift runtime with them.
void ci_install(const struct ci_hooks *hooks);

// The executor that is the main actor's in every world.
typedef struct {
  void *identity;
  uintptr_t implementation;
} ci_executor;
void ci_set_main_executor(ci_executor executor);

uint64_t ci_task_number(void *job);
// Where a suspended task goes on: the address of a function, for its name.
void *ci_task_resumes_at(void *task);

// What Dispatch's own functions say, past every hook.
bool ci_dispatch_is_concurrent(void *queue);
bool ci_dispatch_is_main(void *queue);
void *ci_dispatch_main(void);
const char *ci_dispatch_label(void *queue);
bool ci_dispatch_group_is_empty(void *group);
void ci_dispatch_group_leave(void *group);
void ci_dispatch_retain(void *object);
void ci_dispatch_release(void *object);
void ci_block_release(void *block);
// What calls a block.
void ci_block_call(void *block);

// What the calling context needs of its world: where its choices are written, how many of its entities wait, and whether
// it follows which accesses come before which.
struct ci_record;
void ci_set_world(struct ci_record *record, const volatile int32_t *waiting, bool follows_order);
// How many worlds run in this process: while none does, no thread's task can be a world's.
void ci_add_running(int32_t difference);

// MARK: The record that outlives a crash

enum {
  CI_CHOICES_ROOM = 8 * 1024 * 1024,
  // A line says most choices in some eight characters at most, and none of what is given up is lost.
  CI_FINDING_ROOM = 8 * CI_CHOICES_ROOM + 64 * 1024,
  CI_FINGERPRINTS_ROOM = 64 * 1024,
  CI_MARKS_ROOM = 128,
  CI_STEPS_ROOM = 64 * 1024,
  CI_EVENTS_ROOM = 1024 * 1024,
  CI_DEPTHS = 3
};

// What a traced execution did: an entity's step, or an answer of another kind.
typedef struct ci_step {
  uint64_t key;
  uint32_t kind;
  uint32_t answer;
} ci_step;

typedef struct ci_mark {
  char name[56];
  uint64_t executions;
} ci_mark;

typedef enum { CI_IDLE, CI_RUNNING, CI_FOUND, CI_CRASHED, CI_DONE } ci_phase;

// The choices as they are made, in memory that a parent shares where it keeps a child's: written ahead of what they
// lead to.
typedef struct ci_record {
  volatile uint32_t phase;
  volatile uint32_t signal;
  volatile uint64_t executions;
  volatile uint64_t steps;
  volatile uint64_t seed;
  volatile uint64_t digest;
  volatile uint64_t mismatches;
  // Of the digests of all executions.
  volatile uint64_t combined;
  // Not zero while the world's thread waits for a lock that is held outside.
  volatile uint32_t waits_outside;
  volatile uint32_t finding_length;
  volatile uint32_t count;
  // How many places of the table are taken, and how many times it was thinned.
  uint32_t fingerprints_taken;
  uint32_t fingerprints_thinned;
  uint32_t marks_taken;
  // The most entities that an execution had, and the most steps.
  uint32_t entities;
  uint32_t longest;
  // Of a depth-first search that came to its end: 1, or 2 and its bound.
  uint32_t completeness;
  // The executions of probabilistic concurrency testing, by depth from 1.
  uint64_t of_depth[CI_DEPTHS];
  uint32_t steps_taken;
  uint32_t events_length;
  char prefix[1024];
  char finding[CI_FINDING_ROOM];
  ci_mark marks[CI_MARKS_ROOM];
  uint64_t fingerprints[CI_FINGERPRINTS_ROOM];
  ci_step traced[CI_STEPS_ROOM];
  char events[CI_EVENTS_ROOM];
  // The answer in the low half, how many answers there were, less one, in the high half.
  uint32_t choices[CI_CHOICES_ROOM];
} ci_record;

static inline uint32_t *ci_record_choices(ci_record *record) { return record->choices; }
static inline const char *ci_record_prefix(ci_record *record) { return record->prefix; }
static inline char *ci_record_finding(ci_record *record) { return record->finding; }
static inline uint64_t *ci_record_depths(ci_record *record) { return record->of_depth; }
static inline ci_mark *ci_record_marks(ci_record *record) { return record->marks; }
static inline ci_step *ci_record_steps(ci_record *record) { return record->traced; }
static inline char *ci_record_events(ci_record *record) { return record->events; }
static inline char *ci_mark_name(ci_mark *mark) { return mark->name; }
static inline uint64_t *ci_record_fingerprints(ci_record *record) { return record->fingerprints; }

// In the file, or in memory of the process's own for a negative one; NULL when there is no memory.
ci_record *ci_record_make(int file);
void ci_record_free(ci_record *record);

// Makes a crash of the calling thread's world a finding: marks the record, writes the line that `prefix` begins to
// standard error where there is a prefix, and lets the signal do what it did. NULL ends that.
void ci_catch_crashes(ci_record *record, const char *prefix);

// MARK: The watchdog's eyes

// The system's number of the calling thread.
int32_t ci_thread_number(void);
// The processor time that a thread of this process has used, in nanoseconds; 0 for none.
uint64_t ci_processor_time(int32_t thread);
uint64_t ci_process_time(void);
// The addresses of the calls that another thread of this process is in, the innermost first; how many.
size_t ci_stack_of(int32_t thread, uintptr_t *addresses, size_t room);
// The same of the calling thread, without the innermost `skip`.
size_t ci_stack_here(uintptr_t *addresses, size_t room, size_t skip);
// The name of the function that an address is in, and of its file, where the system knows them.
bool ci_symbol(uintptr_t address, const char **name, const char **file, uintptr_t *base);

// Where the image is loaded that this library is linked into.
uintptr_t ci_own_image(void);

// What the library does without Foundation and the C library's module.
void ci_free(void *memory);
bool ci_executable(char *path, size_t room);
const void *ci_map_file(const char *path, size_t *size);
void ci_unmap(const void *memory, size_t size);

// The system's words for the call that a thread of this process sleeps in; false where it runs.
bool ci_system_call(int32_t thread, char *text, size_t room);
void ci_pause(uint32_t microseconds);
// A lock that is a word, zero at first, for what never waits while it holds it; its waiters sleep past everything that is interposed.
void ci_short_lock(uint32_t *word);
void ci_short_unlock(uint32_t *word);
// Waits for ever, past everything that is interposed: what a watchdog has to notice.
void ci_block_unseen(void);
// Runs the body on an OS thread of its own, which nobody joins.
void ci_start_thread(void (*body)(void *), void *argument);

// A pthread lock of this library's, for the first of all executions.
void ci_warm_up_lock(void);
void ci_warm_up_unlock(void);

// MARK: Children

// The number of the file that a child keeps its record in.
enum { CI_RECORD_FILE = 3 };
// A file in memory, without a name; closed in children.
int ci_shared_file(void);
void ci_close(int file);
// Starts a program with the record's file and one variable more in its environment, or one less where no value follows
// its name; -1 where that fails.
int32_t ci_spawn(const char *path, char *const arguments[], int record, const char *assignment);
// The child's exit status, or its signal negated.
int ci_wait(int32_t child);
void ci_end_now(int status);
// No file for a crash that is looked for.
void ci_no_core(void);

#endif
