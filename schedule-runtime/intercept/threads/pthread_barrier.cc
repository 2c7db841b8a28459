#include <pthread.h>

#include "intercept/initialises.h"
#include "intercept/real.h"
#include "primitives/barrier.h"

using namespace heddle::rt;

HEDDLE_REAL(pthread_barrier_init);
HEDDLE_REAL(pthread_barrier_destroy);
HEDDLE_REAL(pthread_barrier_wait);

HEDDLE_SHIM int pthread_barrier_init(pthread_barrier_t* barrier, const pthread_barrierattr_t* attributes, unsigned count) noexcept {
  if (current_thread() == nullptr) return real_pthread_barrier_init(barrier, attributes, count);
  initialises(barrier, sizeof *barrier, HEDDLE_HERE);
  const int result = real_pthread_barrier_init(barrier, attributes, count);
  if (result == 0) primitives::barrier_init(barrier, HEDDLE_HERE);
  return result;
}

HEDDLE_SHIM int pthread_barrier_destroy(pthread_barrier_t* barrier) noexcept {
  if (current_thread() != nullptr) return primitives::barrier_destroy(barrier, HEDDLE_HERE);
  return real_pthread_barrier_destroy(barrier);
}

HEDDLE_SHIM int pthread_barrier_wait(pthread_barrier_t* barrier) noexcept {
  if (current_thread() != nullptr) return primitives::barrier_wait(barrier, HEDDLE_HERE);
  return real_pthread_barrier_wait(barrier);
}
