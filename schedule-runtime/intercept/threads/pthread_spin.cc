#include <pthread.h>

#include "intercept/initialises.h"
#include "intercept/real.h"
#include "primitives/spinlock.h"

using namespace heddle::rt;

HEDDLE_REAL(pthread_spin_init);
HEDDLE_REAL(pthread_spin_destroy);
HEDDLE_REAL(pthread_spin_lock);
HEDDLE_REAL(pthread_spin_trylock);
HEDDLE_REAL(pthread_spin_unlock);

HEDDLE_SHIM int pthread_spin_init(pthread_spinlock_t* lock, int shared) noexcept {
  return initialise(lock, HEDDLE_HERE, [&] { return real_pthread_spin_init(lock, shared); }, primitives::spin_init);
}

HEDDLE_SHIM int pthread_spin_destroy(pthread_spinlock_t* lock) noexcept {
  if (current_thread() != nullptr) return primitives::spin_destroy(lock, HEDDLE_HERE);
  return real_pthread_spin_destroy(lock);
}

HEDDLE_SHIM int pthread_spin_lock(pthread_spinlock_t* lock) noexcept {
  if (current_thread() != nullptr) return primitives::spin_lock(lock, HEDDLE_HERE);
  return real_pthread_spin_lock(lock);
}

HEDDLE_SHIM int pthread_spin_trylock(pthread_spinlock_t* lock) noexcept {
  if (current_thread() != nullptr) return primitives::spin_trylock(lock, HEDDLE_HERE);
  return real_pthread_spin_trylock(lock);
}

HEDDLE_SHIM int pthread_spin_unlock(pthread_spinlock_t* lock) noexcept {
  if (current_thread() != nullptr) return primitives::spin_unlock(lock, HEDDLE_HERE);
  return real_pthread_spin_unlock(lock);
}
