#ifndef CINTERLEAVING_H
#define CINTERLEAVING_H

#include <stdbool.h>
#include <stdint.h>

// A flow of control that only its scheduler moves: of all the contexts of a host, one runs at a time.
typedef struct ci_context ci_context;

// How contexts are made. Fibers switch stacks on one OS thread and borrow the thread-local storage of a parked one;
// threads are pooled OS threads, pinned to one processor, that hand a token over.
typedef enum { CI_FIBERS, CI_THREADS } ci_substrate;

// Whether fibers can be had on this processor and system; they are tried once, not assumed.
bool ci_fibers_work(void);

// The context of the calling OS thread itself, from which the first switch goes out and to which the last returns. One
// host context belongs to one OS thread until it is freed.
ci_context *ci_host_make(ci_substrate substrate);
void ci_host_free(ci_context *host);

// A context that will run the body when it is first switched to. It comes from a pool, and goes back to it when the
// body has returned: the body's last act must be to switch away by ci_finish.
ci_context *ci_context_make(ci_context *host, void (*body)(void *argument), void *argument);

// Leaves the running context for another of the same host; returns when somebody switches back.
void ci_switch(ci_context *from, ci_context *to);

// Leaves the running context for good: it goes back to the pool, and may be used again as soon as `to` runs.
void ci_finish(ci_context *from, ci_context *to);

// Frees a context that is not running and whose body will never return (it waits in a deadlock). Its stack and thread
// are not used again: what they refer to stays as it was.
void ci_abandon(ci_context *context);

// Around every stretch of the scheduler's own code that an entity runs: ThreadSanitizer looks away, because the token
// that orders the scheduler's memory is hidden from it. Nothing where it is not.
void ci_enter_kernel(void);
void ci_leave_kernel(void);

// What a program's own threads would have: an entity's beginning comes after its spawning, and the world's end after
// every entity's. Told to ThreadSanitizer; nothing where it is not.
void ci_announce_release(const void *object);
void ci_announce_acquire(const void *object);

// What the calling thread of control is in a world: an opaque pointer, NULL outside. Kept in thread-local storage,
// which each context has of its own.
void *ci_simulated(void);
void ci_set_simulated(void *simulated);

#endif
