#ifndef CINTERLEAVING_SANITIZERS_H
#define CINTERLEAVING_SANITIZERS_H

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define UNDER_THREAD_SANITIZER 1
#endif
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
// They follow stacks and threads, and a fiber is neither to them.
#define UNDER_SANITIZER 1
#endif
#endif

#endif
