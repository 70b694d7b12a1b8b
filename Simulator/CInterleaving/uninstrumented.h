// To be included last: from here on no sanitizer instruments a function. What is interposed is called by threads in every state,
// also by what the C library calls at a thread's very end, when ThreadSanitizer has forgotten the thread.
#ifdef __clang__
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)
#endif
