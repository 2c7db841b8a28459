#include <errno.h>
#include <pthread.h>

#include "intercept/initialises.h"
#include "intercept/real.h"
#include "primitives/mutex.h"
#include "primitives/timing.h"

using namespace heddle::rt;

extern "C" int pthread_mutex_clocklock(pthread_mutex_t*, clockid_t, const timespec*) noexcept;

HEDDLE_REAL(pthread_mutex_init);
HEDDLE_REAL(pthread_mutex_destroy);
HEDDLE_REAL(pthread_mutex_lock);
HEDDLE_REAL(pthread_mutex_trylock);
HEDDLE_REAL(pthread_mutex_timedlock);
HEDDLE_REAL(pthread_mutex_clocklock);
HEDDLE_REAL(pthread_mutex_unlock);
HEDDLE_REAL(pthread_mutex_consistent);

HEDDLE_SHIM int pthread_mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes) noexcept {
  return initialise(mutex, HEDDLE_HERE, [&] { return real_pthread_mutex_init(mutex, attributes); }, primitives::mutex_init);
}

HEDDLE_SHIM int pthread_mutex_destroy(pthread_mutex_t* mutex) noexcept {
  if (current_thread() != nullptr) return primitives::mutex_destroy(mutex, HEDDLE_HERE);
  return real_pthread_mutex_destroy(mutex);
}

HEDDLE_SHIM int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  if (current_thread() != nullptr) return primitives::mutex_lock(mutex, HEDDLE_HERE);
  return real_pthread_mutex_lock(mutex);
}

HEDDLE_SHIM int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept {
  if (current_thread() != nullptr) return primitives::mutex_trylock(mutex, HEDDLE_HERE);
  return real_pthread_mutex_trylock(mutex);
}

HEDDLE_SHIM int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* time) noexcept {
  if (current_thread() == nullptr) return real_pthread_mutex_timedlock(mutex, time);
  if (!primitives::valid_timespec(*time)) return EINVAL;
  return primitives::mutex_timedlock(mutex, primitives::deadline_at(CLOCK_REALTIME, *time), HEDDLE_HERE);
}

HEDDLE_SHIM int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const timespec* time) noexcept {
  if (current_thread() == nullptr) return real_pthread_mutex_clocklock(mutex, clock, time);
  if (!primitives::valid_limit(clock, *time)) return EINVAL;
  return primitives::mutex_timedlock(mutex, primitives::deadline_at(clock, *time), HEDDLE_HERE);
}

HEDDLE_SHIM int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
  if (current_thread() != nullptr) return primitives::mutex_unlock(mutex, HEDDLE_HERE);
  return real_pthread_mutex_unlock(mutex);
}

HEDDLE_SHIM int pthread_mutex_consistent(pthread_mutex_t* mutex) noexcept {
  if (current_thread() != nullptr) return primitives::mutex_consistent(mutex, HEDDLE_HERE);
  return real_pthread_mutex_consistent(mutex);
}
