// What a watchdog can see of another thread: its processor time and its stack.
#define _GNU_SOURCE
#include "context.h"
#include "route.h"
#include "sanitizers.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

int32_t ci_thread_number(void) {
  static __thread int32_t known;
  if (known == 0) known = gettid();
  return known;
}

uint64_t ci_processor_time(int32_t thread) {
  // Linux's way to name the processor clock of a thread by its number.
  clockid_t clock = (clockid_t)((~(unsigned int)thread << 3) | 6);
  struct timespec time;
  ci_enter_kernel();
  int failed = clock_gettime(clock, &time);
  ci_leave_kernel();
  return failed ? 0 : (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

uint64_t ci_process_time(void) {
  struct timespec time;
  return clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) != 0
             ? 0
             : (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// Reads memory that may not be there.
static bool peek(uintptr_t address, uintptr_t words[2]) {
  struct iovec to = {words, 2 * sizeof *words}, from = {(void *)address, 2 * sizeof *words};
  return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == (ssize_t)(2 * sizeof *words);
}

// By frame pointers, which Swift keeps.
static size_t walk(uintptr_t frame, uintptr_t *addresses, size_t room) {
  size_t count = 0;
  while (count < room && frame != 0 && frame % sizeof frame == 0) {
    uintptr_t words[2];
    if (!peek(frame, words) || words[1] == 0) break;
    addresses[count++] = words[1];
    // A stack grows downwards: what goes the other way is no frame.
    if (words[0] <= frame) break;
    frame = words[0];
  }
  return count;
}

size_t ci_stack_here(uintptr_t *addresses, size_t room, size_t skip) {
  uintptr_t all[64];
  size_t count = walk((uintptr_t)__builtin_frame_address(0), all, sizeof all / sizeof *all);
  size_t kept = 0;
  for (size_t i = skip; i < count && kept < room; i++) addresses[kept++] = all[i];
  return kept;
}

uint64_t ci_site(void) {
  uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
  uint64_t site = 0;
  // What is read lies between this frame and the top of the stack, so it is there, whatever it holds.
  for (int depth = 0; depth < 24; depth++) {
    const uintptr_t *words = (const uintptr_t *)frame;
    site = (site ^ words[1]) * 0x9E3779B97F4A7C15ull;
    uintptr_t next = words[0];
    if (next <= frame || next - frame > 16384 || next % sizeof next != 0) break;
    frame = next;
  }
  return site;
}

__attribute__((unused)) static pthread_mutex_t asking = PTHREAD_MUTEX_INITIALIZER;
static sem_t answered;
static uintptr_t *asked_addresses;
static size_t asked_room, asked_count;

// Answers in whatever the thread was in, and to a watchdog that waits: ThreadSanitizer has nothing to see here.
__attribute__((disable_sanitizer_instrumentation)) static void on_question(int number, siginfo_t *information, void *raw) {
  (void)number;
  (void)information;
  int error = errno;
  ucontext_t *context = raw;
  uintptr_t at = 0, frame = 0;
#if defined(__x86_64__)
  at = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
  frame = (uintptr_t)context->uc_mcontext.gregs[REG_RBP];
#elif defined(__aarch64__)
  at = context->uc_mcontext.pc;
  frame = context->uc_mcontext.regs[29];
#else
  (void)context;
#endif
  // By the unwinder: the C library's own functions, in which a thread sleeps, keep no frame pointer. What comes before
  // the interrupted function is this handler.
  void *all[64];
  int count = backtrace(all, sizeof all / sizeof *all), first = 0;
  while (first < count && (uintptr_t)all[first] != at) first++;
  asked_count = 0;
  for (int i = first; i < count && asked_count < asked_room; i++) asked_addresses[asked_count++] = (uintptr_t)all[i];
  if (asked_count == 0) {
    asked_addresses[0] = at;
    asked_count = 1 + walk(frame, asked_addresses + 1, asked_room - 1);
  }
  sem_post(&answered);
  errno = error;
}

void ci_answer_questions(void) {
  sigset_t question;
  sigemptyset(&question);
  sigaddset(&question, SIGURG);
  pthread_sigmask(SIG_UNBLOCK, &question, NULL);
}

#ifdef UNDER_THREAD_SANITIZER
// ThreadSanitizer has 255 places for threads that run, and takes that of one which sleeps when more are there. A signal that
// finds such a thread ends the process, or finds it in a lock of the sanitizer's.
size_t ci_stack_of(int32_t thread, uintptr_t *addresses, size_t room) {
  (void)thread, (void)addresses, (void)room;
  (void)on_question;
  return 0;
}
#else
size_t ci_stack_of(int32_t thread, uintptr_t *addresses, size_t room) {
  static bool installed;
  pthread_mutex_lock(&asking);
  if (!installed) {
    // Its first call loads the unwinder, which a signal handler may not.
    void *none[1];
    (void)backtrace(none, 1);
    sem_init(&answered, 0, 0);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_question;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigaction(SIGURG, &action, NULL);
    installed = true;
  }
  asked_addresses = addresses;
  asked_room = room;
  asked_count = 0;
  size_t count = 0;
  if (syscall(SYS_tgkill, getpid(), thread, SIGURG) == 0) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_sec += 1;
    if (sem_timedwait(&answered, &time) == 0) count = asked_count;
  }
  pthread_mutex_unlock(&asking);
  return count;
}
#endif

bool ci_symbol(uintptr_t address, const char **name, const char **file, uintptr_t *base) {
  Dl_info info;
  // Before the return address: a call that does not return may be a function's last instruction.
  if (dladdr((void *)(address - 1), &info) == 0) return false;
  *name = info.dli_sname;
  *file = info.dli_fname;
  *base = (uintptr_t)info.dli_fbase;
  return true;
}

uintptr_t ci_own_image(void) {
  Dl_info info;
  return dladdr((void *)&ci_own_image, &info) != 0 ? (uintptr_t)info.dli_fbase : 0;
}

void ci_free(void *memory) { free(memory); }

bool ci_executable(char *path, size_t room) {
  ssize_t length = readlink("/proc/self/exe", path, room - 1);
  if (length <= 0) return false;
  path[length] = 0;
  return true;
}

const void *ci_map_file(const char *path, size_t *size) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  struct stat status;
  void *memory = MAP_FAILED;
  if (file >= 0 && fstat(file, &status) == 0) {
    *size = (size_t)status.st_size;
    memory = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, file, 0);
  }
  if (file >= 0) close(file);
  return memory == MAP_FAILED ? NULL : memory;
}

void ci_unmap(const void *memory, size_t size) { munmap((void *)memory, size); }

bool ci_system_call(int32_t thread, char *text, size_t room) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%d/syscall", thread);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  ssize_t length = read(file, text, room - 1);
  close(file);
  // "running", or the number of a call and its arguments; -1 for a thread that is stopped elsewhere.
  if (length <= 0 || text[0] < '0' || text[0] > '9') return false;
  text[length] = 0;
  return true;
}

void ci_pause(uint32_t microseconds) { usleep(microseconds); }

struct start {
  void (*body)(void *);
  void *argument;
};
static void *started(void *raw) {
  struct start start = *(struct start *)raw;
  free(raw);
  start.body(start.argument);
  return NULL;
}
void ci_start_thread(void (*body)(void *), void *argument) {
  struct start *start = malloc(sizeof *start);
  if (start == NULL) abort();
  *start = (struct start){body, argument};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 8 * 1024 * 1024);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread;
  if (pthread_create(&thread, &attributes, started, start) != 0) abort();
  pthread_attr_destroy(&attributes);
}

void ci_block_unseen(void) {
  static uint32_t word;
  ci_syscall(SYS_futex, (long)&word, 0, 0, 0, 0, 0);
}
