#include <errno.h>
#include <semaphore.h>

#include "intercept/library_access.h"
#include "primitives/semaphore.h"
#include "primitives/timing.h"

using namespace heddle::rt;

extern "C" int sem_clockwait(sem_t*, clockid_t, const timespec*);

HEDDLE_REAL(sem_init);
HEDDLE_REAL(sem_destroy);
HEDDLE_REAL(sem_wait);
HEDDLE_REAL(sem_trywait);
HEDDLE_REAL(sem_timedwait);
HEDDLE_REAL(sem_clockwait);
HEDDLE_REAL(sem_post);
HEDDLE_REAL(sem_getvalue);

namespace {

// Semaphores return errors in errno.
int answer(int error) {
  if (error == 0) return 0;
  errno = error;
  return -1;
}

int wait_until(sem_t* semaphore, clockid_t clock, const timespec& time, Place place) {
  if (!primitives::valid_timespec(time)) return answer(EINVAL);
  return answer(primitives::semaphore_wait(semaphore, primitives::deadline_at(clock, time), place));
}

}  // namespace

HEDDLE_SHIM int sem_init(sem_t* semaphore, int shared, unsigned value) noexcept {
  if (current_thread() != nullptr) primitives::semaphore_init(semaphore, HEDDLE_HERE);
  return real_sem_init(semaphore, shared, value);
}

HEDDLE_SHIM int sem_destroy(sem_t* semaphore) noexcept {
  if (current_thread() != nullptr) return answer(primitives::semaphore_destroy(semaphore, HEDDLE_HERE));
  return real_sem_destroy(semaphore);
}

HEDDLE_SHIM int sem_wait(sem_t* semaphore) {
  if (current_thread() != nullptr) return answer(primitives::semaphore_wait(semaphore, kNever, HEDDLE_HERE));
  return real_sem_wait(semaphore);
}

HEDDLE_SHIM int sem_trywait(sem_t* semaphore) noexcept {
  if (current_thread() != nullptr) return answer(primitives::semaphore_trywait(semaphore, HEDDLE_HERE));
  return real_sem_trywait(semaphore);
}

HEDDLE_SHIM int sem_timedwait(sem_t* semaphore, const timespec* time) {
  if (current_thread() != nullptr) return wait_until(semaphore, CLOCK_REALTIME, *time, HEDDLE_HERE);
  return real_sem_timedwait(semaphore, time);
}

HEDDLE_SHIM int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* time) {
  if (current_thread() != nullptr) return wait_until(semaphore, clock, *time, HEDDLE_HERE);
  return real_sem_clockwait(semaphore, clock, time);
}

HEDDLE_SHIM int sem_post(sem_t* semaphore) noexcept {
  if (current_thread() != nullptr) return answer(primitives::semaphore_post(semaphore, HEDDLE_HERE));
  return real_sem_post(semaphore);
}

HEDDLE_SHIM int sem_getvalue(sem_t* semaphore, int* value) noexcept {
  if (current_thread() != nullptr) {
    const int error = primitives::semaphore_value(semaphore, value, HEDDLE_HERE);
    if (error == 0) value_accessed(value, true, HEDDLE_HERE);
    return answer(error);
  }
  return real_sem_getvalue(semaphore, value);
}
