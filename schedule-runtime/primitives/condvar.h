// Condition variables: a wait is three operations - cond_wait (gives the mutex back and enqueues), cond_wake (goes when notified, when its time has come, or
// spuriously) and mutex_lock. Which waiter a signal wakes, an early time-out and a spurious wake-up are choices.
#pragma once

#include <pthread.h>

#include "engine/engine.h"

namespace heddle::rt::primitives {

// deadline kNever: without a time limit. Returns 0, ETIMEDOUT or EPERM; or what taking a robust mutex back has returned.
int cond_wait(pthread_cond_t* cond, pthread_mutex_t* mutex, uint64_t deadline, Place place);
int cond_signal(pthread_cond_t* cond, Place place);
int cond_broadcast(pthread_cond_t* cond, Place place);
int cond_init(pthread_cond_t* cond, Place place);
int cond_destroy(pthread_cond_t* cond, Place place);

}  // namespace heddle::rt::primitives
