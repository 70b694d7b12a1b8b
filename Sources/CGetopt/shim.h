// getopt_long, which the toolchain's module of the C library leaves out.
#include <getopt.h>
