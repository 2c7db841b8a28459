// Condition variables. A wait is three operations: cond_wait (releases the mutex and enqueues), cond_wake (goes on after a notification, a
// time-out or a spurious wake-up) and mutex_lock. Three things are choices: which waiter a signal wakes, an early time-out, a spurious
// wake-up.
#pragma once

#include <pthread.h>

#include "engine/engine.h"

namespace heddle::rt::primitives {

// deadline kNever: no time limit. Returns 0, ETIMEDOUT or EPERM, or the result of locking a robust mutex again.
int cond_wait(pthread_cond_t* cond, pthread_mutex_t* mutex, uint64_t deadline, Place place);
// The thread that waits in this operation wakes up spuriously.
void cond_wake_without_cause(Pending& p);
int cond_signal(pthread_cond_t* cond, Place place);
int cond_broadcast(pthread_cond_t* cond, Place place);
void cond_init(pthread_cond_t* cond, Place place);  // after the real one has set its bytes
int cond_destroy(pthread_cond_t* cond, Place place);

}  // namespace heddle::rt::primitives
