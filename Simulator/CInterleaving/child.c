// Children that explore: their choices are written into a file that their parent keeps.
#define _GNU_SOURCE
#include "cinterleaving.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

int ci_shared_file(void) { return memfd_create("interleaving", MFD_CLOEXEC); }
void ci_close(int file) { close(file); }

int32_t ci_spawn(const char *path, char *const arguments[], int record, const char *assignment) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  // The same number in the child, where it is not closed.
  posix_spawn_file_actions_adddup2(&actions, record, CI_RECORD_FILE);
  size_t count = 0;
  while (environ[count] != NULL) count++;
  char **environment = calloc(count + 3, sizeof *environment);
  if (environment == NULL) abort();
  size_t kept = 0;
  size_t length = strcspn(assignment, "=");
  for (size_t i = 0; i < count; i++) {
    bool is_same = strncmp(environ[i], assignment, length) == 0 && environ[i][length] == '=';
    if (!is_same) environment[kept++] = environ[i];
  }
  if (assignment[length] == '=') environment[kept++] = (char *)assignment;
  // A crash is a finding here: nobody wants it explained.
  environment[kept] = "SWIFT_BACKTRACE=enable=no";
  pid_t child;
  int failed = posix_spawn(&child, path, &actions, NULL, arguments, environment);
  free(environment);
  posix_spawn_file_actions_destroy(&actions);
  return failed ? -1 : child;
}

int ci_wait(int32_t child) {
  int status;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

void ci_end_now(int status) { _exit(status); }

void ci_no_core(void) {
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
}
