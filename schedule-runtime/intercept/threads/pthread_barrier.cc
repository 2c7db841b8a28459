#include <pthread.h>

#include "intercept/initialises.h"
#include "intercept/real.h"
#include "primitives/barrier.h"

using namespace heddle::rt;

HEDDLE_REAL(pthread_barrier_init);
HEDDLE_REAL(pthread_barrier_destroy);
HEDDLE_REAL(pthread_barrier_wait);

HEDDLE_SHIM int pthread_barrier_init(pthread_barrier_t* barrier, const pthread_barrierattr_t* attributes, unsigned count) noexcept {
  return initialise(barrier, HEDDLE_HERE, [&] { return real_pthread_barrier_init(barrier, attributes, count); }, primitives::barrier_init);
}

HEDDLE_SHIM int pthread_barrier_destroy(pthread_barrier_t* barrier) noexcept {
  if (current_thread() != nullptr) return primitives::barrier_destroy(barrier, HEDDLE_HERE);
  return real_pthread_barrier_destroy(barrier);
}

HEDDLE_SHIM int pthread_barrier_wait(pthread_barrier_t* barrier) noexcept {
  if (current_thread() != nullptr) return primitives::barrier_wait(barrier, HEDDLE_HERE);
  return real_pthread_barrier_wait(barrier);
}
