#include <errno.h>
#include <pthread.h>

#include "intercept/early_wait.h"
#include "intercept/initialises.h"
#include "intercept/real.h"
#include "primitives/condvar.h"
#include "primitives/timing.h"

using namespace heddle::rt;

extern "C" int pthread_cond_clockwait(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*);

HEDDLE_REAL(pthread_cond_init);
HEDDLE_REAL(pthread_cond_destroy);
HEDDLE_REAL(pthread_cond_wait);
HEDDLE_REAL(pthread_cond_timedwait);
HEDDLE_REAL(pthread_cond_clockwait);
HEDDLE_REAL(pthread_cond_signal);
HEDDLE_REAL(pthread_cond_broadcast);

namespace {

// The clock of a condition variable is one of its attributes. glibc stores it in bit 1 of __wrefs.
clockid_t clock_of(const pthread_cond_t* cond) { return (cond->__data.__wrefs & 2) != 0 ? CLOCK_MONOTONIC : CLOCK_REALTIME; }

}  // namespace

HEDDLE_SHIM int pthread_cond_init(pthread_cond_t* cond, const pthread_condattr_t* attributes) noexcept {
  return initialise(cond, HEDDLE_HERE, [&] { return real_pthread_cond_init(cond, attributes); }, primitives::cond_init);
}

HEDDLE_SHIM int pthread_cond_destroy(pthread_cond_t* cond) noexcept {
  if (current_thread() != nullptr) return primitives::cond_destroy(cond, HEDDLE_HERE);
  return real_pthread_cond_destroy(cond);
}

HEDDLE_SHIM int pthread_cond_wait(pthread_cond_t* cond, pthread_mutex_t* mutex) {
  if (current_thread() != nullptr) return primitives::cond_wait(cond, mutex, kNever, HEDDLE_HERE);
  return real_pthread_cond_wait(cond, mutex);
}

HEDDLE_SHIM int pthread_cond_timedwait(pthread_cond_t* cond, pthread_mutex_t* mutex, const timespec* time) {
  if (current_thread() == nullptr) {
    return wait_until_kernel_time(clock_of(cond), time, [&](const timespec* until) { return real_pthread_cond_timedwait(cond, mutex, until); });
  }
  if (!primitives::valid_timespec(*time)) return EINVAL;
  return primitives::cond_wait(cond, mutex, primitives::deadline_at(clock_of(cond), *time), HEDDLE_HERE);
}

HEDDLE_SHIM int pthread_cond_clockwait(pthread_cond_t* cond, pthread_mutex_t* mutex, clockid_t clock, const timespec* time) {
  if (current_thread() == nullptr) {
    return wait_until_kernel_time(clock, time, [&](const timespec* until) { return real_pthread_cond_clockwait(cond, mutex, clock, until); });
  }
  if (!primitives::valid_limit(clock, *time)) return EINVAL;
  return primitives::cond_wait(cond, mutex, primitives::deadline_at(clock, *time), HEDDLE_HERE);
}

HEDDLE_SHIM int pthread_cond_signal(pthread_cond_t* cond) noexcept {
  if (current_thread() != nullptr) return primitives::cond_signal(cond, HEDDLE_HERE);
  return real_pthread_cond_signal(cond);
}

HEDDLE_SHIM int pthread_cond_broadcast(pthread_cond_t* cond) noexcept {
  if (current_thread() != nullptr) return primitives::cond_broadcast(cond, HEDDLE_HERE);
  return real_pthread_cond_broadcast(cond);
}
