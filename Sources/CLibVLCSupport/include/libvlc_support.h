#ifndef LIBVLC_SUPPORT_H
#define LIBVLC_SUPPORT_H

#include <stdarg.h>

// Receives one formatted log line on whatever thread logged it. `origin` is the library's own
// context of the line, good during the call only; `level` is the library's own number: a conformer
// of the native seam decodes both. `message` is good during the call only.
typedef void (*libvlc_support_log_function)(void *opaque, int level, const void *origin,
                                            const char *message);

// What the data pointer of a log callback points at. The engine owns it, and what follows it.
struct libvlc_support_log_context {
  libvlc_support_log_function function;
  void *opaque;
};

// A log callback as libVLC calls it: Swift cannot read a va_list.
void libvlc_support_log(void *data, int level, const void *origin, const char *format,
                        va_list arguments);

// The same with variable arguments, so that a test can reach it without a library.
void libvlc_support_log_line(void *data, int level, const void *origin, const char *format, ...);

// The address of libvlc_support_log without its type, which names a va_list.
typedef void (*libvlc_support_any_function)(void);
libvlc_support_any_function libvlc_support_log_callback(void);

#endif
