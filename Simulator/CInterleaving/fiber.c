// Fibers with borrowed thread-local storage.
//
// A fiber has a stack of its own and the thread-local storage of an OS thread that was created to own one and is parked
// for ever. A switch saves the callee-saved registers and moves the stack pointer and the thread pointer. So what code
// keeps in thread-locals (the Swift runtime's current task among it) and pthread_self are each fiber's own.
#define _GNU_SOURCE
#include "context.h"
#include "route.h"
#include "sanitizers.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { STACK_SIZE = 512 * 1024, GUARD_SIZE = 64 * 1024 };

#if defined(UNDER_SANITIZER)
#define HAVE_FIBERS 0
#elif defined(__linux__) && defined(__x86_64__)
#define HAVE_FIBERS 1
// System V: rbx, rbp and r12 to r15 are the callee's to keep, and so are the two control words of the floating-point
// units, which nothing here changes. `wrfsbase` as bytes, because the assembler would want a flag for its name.
__attribute__((naked, noinline)) static void swap(
    __attribute__((unused)) void **save, __attribute__((unused)) void *load,
    __attribute__((unused)) void *thread_pointer) {
  __asm__ volatile(
      "pushq %rbp\n pushq %rbx\n pushq %r12\n pushq %r13\n pushq %r14\n pushq %r15\n"
      "movq %rsp, (%rdi)\n"
      "movq %rsi, %rsp\n"
      ".byte 0xf3, 0x48, 0x0f, 0xae, 0xd2\n"
      "popq %r15\n popq %r14\n popq %r13\n popq %r12\n popq %rbx\n popq %rbp\n"
      "ret\n");
}
static void *first_frame(char *top, void (*entry)(void)) {
  // As if `swap` had been called from the start of `entry`: the stack is aligned as a call leaves it.
  void **frame = (void **)((uintptr_t)top & ~(uintptr_t)63);
  *--frame = NULL;
  *--frame = (void *)entry;
  for (int i = 0; i < 6; i++) *--frame = NULL;
  return frame;
}
static bool processor_can(void) {
  // The kernel says in the second word of capabilities whether user code may write the FS base.
  return (getauxval(AT_HWCAP2) & 2) != 0;
}
#elif defined(__linux__) && defined(__aarch64__)
#define HAVE_FIBERS 1
// AAPCS64: x19 to x30 and the low halves of v8 to v15 are the callee's to keep. tpidr_el0 is user code's own to write.
__attribute__((naked, noinline)) static void swap(
    __attribute__((unused)) void **save, __attribute__((unused)) void *load,
    __attribute__((unused)) void *thread_pointer) {
  __asm__ volatile(
      "sub sp, sp, #160\n"
      "stp x19, x20, [sp, #0]\n stp x21, x22, [sp, #16]\n stp x23, x24, [sp, #32]\n"
      "stp x25, x26, [sp, #48]\n stp x27, x28, [sp, #64]\n stp x29, x30, [sp, #80]\n"
      "stp d8, d9, [sp, #96]\n stp d10, d11, [sp, #112]\n stp d12, d13, [sp, #128]\n stp d14, d15, [sp, #144]\n"
      "mov x9, sp\n str x9, [x0]\n"
      "mov sp, x1\n"
      "msr tpidr_el0, x2\n"
      "ldp x19, x20, [sp, #0]\n ldp x21, x22, [sp, #16]\n ldp x23, x24, [sp, #32]\n"
      "ldp x25, x26, [sp, #48]\n ldp x27, x28, [sp, #64]\n ldp x29, x30, [sp, #80]\n"
      "ldp d8, d9, [sp, #96]\n ldp d10, d11, [sp, #112]\n ldp d12, d13, [sp, #128]\n ldp d14, d15, [sp, #144]\n"
      "add sp, sp, #160\n"
      "ret\n");
}
static void *first_frame(char *top, void (*entry)(void)) {
  void **frame = (void **)(((uintptr_t)top & ~(uintptr_t)63) - 160);
  memset(frame, 0, 160);
  frame[11] = (void *)entry;  // x30, where `ret` goes.
  return frame;
}
static bool processor_can(void) { return true; }
#else
#define HAVE_FIBERS 0
#endif

#if HAVE_FIBERS

static void *own_storage(void *raw) {
  ci_context *context = raw;
  // The thread is only a holder of storage: no signal is its business.
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, NULL);
  context->thread_pointer = __builtin_thread_pointer();
  context->number = ci_thread_number();
  // The storage is the fiber's from here on, and so is what it says of who runs.
  ci_arrive(context);
  ci_turn_give(&context->ready);
  for (;;) {
    ci_turn_wait(&context->called);
    // The thread-locals are the fiber's, so nothing that is interposed may be called here.
    // Either the one errand that only this thread can do, or the end.
    if (context->errand == NULL) break;
    ci_syscall(SYS_futex, (long)context->errand, FUTEX_UNLOCK_PI_PRIVATE, 0, 0, 0, 0);
    context->errand = NULL;
    ci_turn_give(&context->ready);
  }
  free(context);
  return NULL;
}

void ci_unlock_from_thread(ci_context *context, void *word) {
  ci_enter_kernel();
  if (context->substrate == CI_FIBERS) {
    context->errand = word;
    ci_turn_give(&context->called);
    ci_turn_wait(&context->ready);
  } else {
    ci_syscall(SYS_futex, (long)word, FUTEX_UNLOCK_PI_PRIVATE, 0, 0, 0, 0);
  }
  ci_leave_kernel();
}

// Where each of a fiber's bodies begins; the body ends by ci_finish, after which the stack begins here again.
static void live(void) {
  ci_context *me = ci_running();
  // The last body left by ci_finish from inside the kernel.
  ci_route.in_kernel = 0;
  me->body(me->argument);
  abort();
}

ci_context *ci_fiber_make(void) {
  ci_context *context = calloc(1, sizeof *context);
  if (context == NULL) return NULL;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 64 * 1024);
  int failed = pthread_create(&context->thread, &attributes, own_storage, context);
  pthread_attr_destroy(&attributes);
  if (failed) {
    free(context);
    return NULL;
  }
  ci_turn_wait(&context->ready);
  // A guard below the stack: an overflow is a fault there, not somebody else's memory.
  char *memory =
      mmap(NULL, GUARD_SIZE + STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) abort();
  mprotect(memory, GUARD_SIZE, PROT_NONE);
  context->stack_top = memory + GUARD_SIZE + STACK_SIZE;
  ci_fiber_rewind(context);
  return context;
}

void ci_fiber_abandon(ci_context *context) {
  munmap((char *)context->stack_top - STACK_SIZE - GUARD_SIZE, GUARD_SIZE + STACK_SIZE);
  pthread_detach(context->thread);
  ci_turn_give(&context->called);
}

void ci_fiber_rewind(ci_context *context) { context->stack_pointer = first_frame(context->stack_top, live); }

void ci_fiber_adopt(ci_context *host) { host->thread_pointer = __builtin_thread_pointer(); }

void ci_fiber_switch(ci_context *from, ci_context *to) {
  swap(&from->stack_pointer, to->stack_pointer, to->thread_pointer);
}

static int tried;
static __thread int own;
static void try_body(void *raw) {
  ci_context **pair = raw;
  own = 2;
  if (own == 2) tried = 1;
  ci_finish(pair[1], pair[0]);
}

bool ci_fibers_work(void) {
  if (!processor_can()) return false;
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static int known;  // 0 not yet, 1 yes, 2 no
  pthread_mutex_lock(&lock);
  if (known == 0) {
    ci_context *pair[2];
    pair[0] = ci_host_make(CI_FIBERS);
    pair[1] = ci_context_make(pair[0], try_body, pair);
    own = 1;
    tried = 0;
    if (pair[1] != NULL) ci_switch(pair[0], pair[1]);
    // It ran, and what it wrote to its thread-local is not what this thread has.
    known = tried == 1 && own == 1 ? 1 : 2;
    ci_host_free(pair[0]);
  }
  bool works = known == 1;
  pthread_mutex_unlock(&lock);
  return works;
}

#else

ci_context *ci_fiber_make(void) { return NULL; }
void ci_fiber_abandon(ci_context *context) { (void)context; }
void ci_fiber_rewind(ci_context *context) { (void)context; }
void ci_fiber_adopt(ci_context *host) { (void)host; }
void ci_fiber_switch(ci_context *from, ci_context *to) {
  (void)from;
  (void)to;
  abort();
}
bool ci_fibers_work(void) { return false; }
void ci_unlock_from_thread(ci_context *context, void *word) {
  (void)context;
  ci_enter_kernel();
  ci_syscall(SYS_futex, (long)word, FUTEX_UNLOCK_PI_PRIVATE, 0, 0, 0, 0);
  ci_leave_kernel();
}

#endif
