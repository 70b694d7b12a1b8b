#include "libvlc_support.h"

#include <stdio.h>
#include <stdlib.h>

// Almost every line is shorter; a longer one costs an allocation, never its end.
enum { ORDINARY_LINE = 1024 };

void libvlc_support_log(void *data, int level, const void *origin, const char *format,
                        va_list arguments) {
  struct libvlc_support_log_context *context = data;
  char ordinary[ORDINARY_LINE];
  // Formatting consumes a va_list, and a long line is formatted twice: each time from a copy.
  va_list copy;
  va_copy(copy, arguments);
  int length = vsnprintf(ordinary, sizeof ordinary, format, copy);
  va_end(copy);
  if (length < 0) return;
  if (length < ORDINARY_LINE) {
    context->function(context->opaque, level, origin, ordinary);
    return;
  }
  char *whole = malloc((size_t)length + 1);
  if (whole == NULL) {
    context->function(context->opaque, level, origin, ordinary);
    return;
  }
  va_copy(copy, arguments);
  vsnprintf(whole, (size_t)length + 1, format, copy);
  va_end(copy);
  context->function(context->opaque, level, origin, whole);
  free(whole);
}

void libvlc_support_log_line(void *data, int level, const void *origin, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  libvlc_support_log(data, level, origin, format, arguments);
  va_end(arguments);
}

libvlc_support_any_function libvlc_support_log_callback(void) {
  return (libvlc_support_any_function)libvlc_support_log;
}
