#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>

#include "intercept/early_wait.h"
#include "intercept/initialises.h"
#include "intercept/library_access.h"
#include "primitives/named_semaphore.h"
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
HEDDLE_REAL(sem_open);
HEDDLE_REAL(sem_close);
HEDDLE_REAL(sem_unlink);

namespace {

// Semaphores return errors in errno.
int answer(int error) {
  if (error == 0) return 0;
  errno = error;
  return -1;
}

int wait_until(sem_t* semaphore, clockid_t clock, const timespec& time, Place place) {
  if (!primitives::valid_limit(clock, time)) return answer(EINVAL);
  return answer(primitives::semaphore_wait(semaphore, primitives::deadline_at(clock, time), place));
}

// The name after its slashes, as glibc takes it; null: it is wrong, and errno says how.
const char* name_of(const char* name, Place place) {
  LibraryAccesses(false, place).text(name);
  name += strspn(name, "/");
  constexpr size_t kPrefix = 4;  // of glibc's file: "sem."
  const int error = *name == 0 || strchr(name, '/') != nullptr ? EINVAL : strlen(name) > NAME_MAX - kPrefix ? ENAMETOOLONG : 0;
  answer(error);
  return error == 0 ? name : nullptr;
}

}  // namespace

HEDDLE_SHIM sem_t* sem_open(const char* name, int flags, ...) noexcept {
  mode_t mode = 0;
  unsigned value = 0;
  if ((flags & O_CREAT) != 0) {
    va_list list;
    va_start(list, flags);
    mode = va_arg(list, mode_t);
    value = va_arg(list, unsigned);
    va_end(list);
  }
  if (current_thread() == nullptr) return real_sem_open(name, flags, mode, value);
  const char* const own = name_of(name, HEDDLE_HERE);
  if (own == nullptr) return SEM_FAILED;
  const primitives::OpenedSemaphore opened = primitives::semaphore_open(own, flags, value, HEDDLE_HERE);
  if (opened.semaphore != nullptr) return opened.semaphore;
  errno = opened.error;
  return SEM_FAILED;
}

HEDDLE_SHIM int sem_close(sem_t* semaphore) noexcept {
  if (current_thread() == nullptr || !primitives::is_named_semaphore(semaphore)) return real_sem_close(semaphore);
  return answer(primitives::semaphore_close(semaphore, HEDDLE_HERE));
}

HEDDLE_SHIM int sem_unlink(const char* name) noexcept {
  if (current_thread() == nullptr) return real_sem_unlink(name);
  const char* const own = name_of(name, HEDDLE_HERE);
  return own == nullptr ? -1 : answer(primitives::semaphore_unlink(own, HEDDLE_HERE));
}

HEDDLE_SHIM int sem_init(sem_t* semaphore, int shared, unsigned value) noexcept {
  return initialise(semaphore, HEDDLE_HERE, [&] { return real_sem_init(semaphore, shared, value); }, primitives::semaphore_init);
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
  return wait_until_kernel_time(CLOCK_REALTIME, time, [&](const timespec* until) { return real_sem_timedwait(semaphore, until); });
}

HEDDLE_SHIM int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* time) {
  if (current_thread() != nullptr) return wait_until(semaphore, clock, *time, HEDDLE_HERE);
  return wait_until_kernel_time(clock, time, [&](const timespec* until) { return real_sem_clockwait(semaphore, clock, until); });
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
