#include <errno.h>
#include <pthread.h>

#include "intercept/initialises.h"
#include "intercept/real.h"
#include "primitives/rwlock.h"
#include "primitives/timing.h"

using namespace heddle::rt;
using primitives::Access;

extern "C" int pthread_rwlock_clockrdlock(pthread_rwlock_t*, clockid_t, const timespec*) noexcept;
extern "C" int pthread_rwlock_clockwrlock(pthread_rwlock_t*, clockid_t, const timespec*) noexcept;

HEDDLE_REAL(pthread_rwlock_init);
HEDDLE_REAL(pthread_rwlock_destroy);
HEDDLE_REAL(pthread_rwlock_rdlock);
HEDDLE_REAL(pthread_rwlock_wrlock);
HEDDLE_REAL(pthread_rwlock_tryrdlock);
HEDDLE_REAL(pthread_rwlock_trywrlock);
HEDDLE_REAL(pthread_rwlock_timedrdlock);
HEDDLE_REAL(pthread_rwlock_timedwrlock);
HEDDLE_REAL(pthread_rwlock_clockrdlock);
HEDDLE_REAL(pthread_rwlock_clockwrlock);
HEDDLE_REAL(pthread_rwlock_unlock);

namespace {

int lock_until(pthread_rwlock_t* lock, Access access, clockid_t clock, const timespec& time, Place place) {
  if (!primitives::valid_limit(clock, time)) return EINVAL;
  return primitives::rwlock_lock(lock, access, primitives::deadline_at(clock, time), place);
}

}  // namespace

HEDDLE_SHIM int pthread_rwlock_init(pthread_rwlock_t* lock, const pthread_rwlockattr_t* attributes) noexcept {
  return initialise(lock, HEDDLE_HERE, [&] { return real_pthread_rwlock_init(lock, attributes); }, primitives::rwlock_init);
}

HEDDLE_SHIM int pthread_rwlock_destroy(pthread_rwlock_t* lock) noexcept {
  if (current_thread() != nullptr) return primitives::rwlock_destroy(lock, HEDDLE_HERE);
  return real_pthread_rwlock_destroy(lock);
}

HEDDLE_SHIM int pthread_rwlock_rdlock(pthread_rwlock_t* lock) noexcept {
  if (current_thread() != nullptr) return primitives::rwlock_lock(lock, Access::read, kNever, HEDDLE_HERE);
  return real_pthread_rwlock_rdlock(lock);
}

HEDDLE_SHIM int pthread_rwlock_wrlock(pthread_rwlock_t* lock) noexcept {
  if (current_thread() != nullptr) return primitives::rwlock_lock(lock, Access::write, kNever, HEDDLE_HERE);
  return real_pthread_rwlock_wrlock(lock);
}

HEDDLE_SHIM int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) noexcept {
  if (current_thread() != nullptr) return primitives::rwlock_trylock(lock, Access::read, HEDDLE_HERE);
  return real_pthread_rwlock_tryrdlock(lock);
}

HEDDLE_SHIM int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) noexcept {
  if (current_thread() != nullptr) return primitives::rwlock_trylock(lock, Access::write, HEDDLE_HERE);
  return real_pthread_rwlock_trywrlock(lock);
}

HEDDLE_SHIM int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const timespec* time) noexcept {
  if (current_thread() != nullptr) return lock_until(lock, Access::read, CLOCK_REALTIME, *time, HEDDLE_HERE);
  return real_pthread_rwlock_timedrdlock(lock, time);
}

HEDDLE_SHIM int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const timespec* time) noexcept {
  if (current_thread() != nullptr) return lock_until(lock, Access::write, CLOCK_REALTIME, *time, HEDDLE_HERE);
  return real_pthread_rwlock_timedwrlock(lock, time);
}

HEDDLE_SHIM int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock, const timespec* time) noexcept {
  if (current_thread() != nullptr) return lock_until(lock, Access::read, clock, *time, HEDDLE_HERE);
  return real_pthread_rwlock_clockrdlock(lock, clock, time);
}

HEDDLE_SHIM int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock, const timespec* time) noexcept {
  if (current_thread() != nullptr) return lock_until(lock, Access::write, clock, *time, HEDDLE_HERE);
  return real_pthread_rwlock_clockwrlock(lock, clock, time);
}

HEDDLE_SHIM int pthread_rwlock_unlock(pthread_rwlock_t* lock) noexcept {
  if (current_thread() != nullptr) return primitives::rwlock_unlock(lock, HEDDLE_HERE);
  return real_pthread_rwlock_unlock(lock);
}
