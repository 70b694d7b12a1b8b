// The record of an execution's choices, and what a crash does with it.
#define _GNU_SOURCE
#include "route.h"
#include "sanitizers.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

ci_record *ci_record_make(int file) {
  int flags = file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE : MAP_SHARED;
  if (file >= 0 && ftruncate(file, sizeof(ci_record)) != 0) return NULL;
  void *memory = mmap(NULL, sizeof(ci_record), PROT_READ | PROT_WRITE, flags, file, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

void ci_record_free(ci_record *record) { munmap(record, sizeof *record); }

// MARK: Crashes

static const int fatal[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE};
enum { FATAL = sizeof fatal / sizeof *fatal };
static struct sigaction before[FATAL];

// The world's thread: a crash of another is not its finding.
static __thread ci_record *caught;


// Only what may be called where a signal interrupted anything: no allocation, no formatted output.
static char *put(char *at, const char *text) {
  while (*text != 0) *at++ = *text++;
  return at;
}
static char *put_number(char *at, uint64_t number, unsigned int base) {
  char digits[24];
  int count = 0;
  do {
    digits[count++] = "0123456789abcdef"[number % base];
    number /= base;
  } while (number != 0);
  while (count > 0) *at++ = digits[--count];
  return at;
}
static void emit(const char *from, const char *to) {
  while (from < to) {
    ssize_t written = write(STDERR_FILENO, from, (size_t)(to - from));
    if (written <= 0) return;
    from += written;
  }
}

static void write_line(const ci_record *record, int number) {
  static char buffer[4096];
  char *at = put(buffer, record->prefix);
  at = put(at, " seed=");
  at = put_number(at, record->seed, 10);
  at = put(at, number == SIGILL || number == SIGTRAP ? " finding=trap" : " finding=crash");
  at = put(at, " digest=");
  at = put_number(at, record->digest, 16);
  at = put(at, " choices=");
  for (uint32_t i = 0; i < record->count;) {
    uint32_t end = i + 1;
    while (end < record->count && record->choices[end] == record->choices[i]) end++;
    if (i > 0) at = put(at, ",");
    at = put_number(at, record->choices[i] & 0xffff, 10);
    at = put(at, "/");
    at = put_number(at, (record->choices[i] >> 16) + 1, 10);
    if (end - i > 1) {
      at = put(at, "*");
      at = put_number(at, end - i, 10);
    }
    i = end;
    if (at > buffer + sizeof buffer - 128) {
      emit(buffer, at);
      at = buffer;
    }
  }
  at = put(at, "\n");
  emit(buffer, at);
}

static void on_signal(int number, siginfo_t *information, void *context) {
  (void)context;
  // A fiber's thread-locals are not the world's thread's, so the record is looked for by what the host left.
  ci_record *record = caught;
  if (record == NULL && ci_route.simulated != NULL) record = ci_route.record;
  if (record != NULL && record->phase == CI_RUNNING) {
    record->signal = (uint32_t)number;
    record->phase = CI_CRASHED;
    if (record->prefix[0] != 0) write_line(record, number);
  }
  for (int i = 0; i < FATAL; i++) {
    if (fatal[i] == number) sigaction(number, &before[i], NULL);
  }
  // A fault comes again by itself when this returns; what was sent has to be sent again.
  if (information->si_code <= 0 || number == SIGABRT) raise(number);
}

static void install(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (int i = 0; i < FATAL; i++) sigaction(fatal[i], &action, &before[i]);
}

#ifdef UNDER_SANITIZER
// A sanitizer has a stack for signals of its own, which it frees at the thread's end.
static void set_signal_stack(bool wanted) { (void)wanted; }
#else
// A stack of its own for the handler: what crashed may be the stack.
static void set_signal_stack(bool wanted) {
  enum { SIZE = 64 * 1024 };
  static __thread void *memory;
  if (wanted == (memory != NULL)) return;
  stack_t stack;
  memset(&stack, 0, sizeof stack);
  void *old = memory;
  memory = wanted ? malloc(SIZE) : NULL;
  stack.ss_sp = memory;
  stack.ss_size = SIZE;
  stack.ss_flags = memory != NULL ? 0 : SS_DISABLE;
  sigaltstack(&stack, NULL);
  free(old);
}
#endif

void ci_catch_crashes(ci_record *record, const char *prefix) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
  set_signal_stack(record != NULL);
  if (record != NULL) {
    size_t length = prefix == NULL ? 0 : strnlen(prefix, sizeof record->prefix - 1);
    memcpy(record->prefix, prefix, length);
    record->prefix[length] = 0;
  }
  caught = record;
}
