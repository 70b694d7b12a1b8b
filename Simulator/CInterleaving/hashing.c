// A hash table's order follows from two seeds of the process and from where the table lies. Here it follows from neither: what
// goes through a set or a dictionary in a world is the same when it is made again.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

// The standard library's, which it fills in when it is loaded, and reads at each use.
struct hashing {
  uint64_t seeds[2];
  bool is_deterministic;
};

// Before any table of the program's: one that was made before would not be found in any more.
__attribute__((constructor(101))) static void hash_alike(void) {
  const char *wish = getenv("INTERLEAVING_HASHING");
  struct hashing *hashing = dlsym(RTLD_DEFAULT, "_swift_stdlib_Hashing_parameters");
  if (hashing == NULL || (wish != NULL && wish[0] == 'r')) return;
  *hashing = (struct hashing){{0, 0}, true};
}
