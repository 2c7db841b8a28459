// C11 <threads.h>. In glibc these are separate functions on the pthread types (mtx_t is a pthread_mutex_t, and so on), and they call
// internal names of libc. So each shim uses the primitive of its pthread equivalent. call_once is in threads/once.cc.
#include <errno.h>
#include <pthread.h>
#include <threads.h>
#include <time.h>

#include "fiber/thread_exit.h"
#include "intercept/initialises.h"
#include "intercept/library_access.h"
#include "primitives/condvar.h"
#include "primitives/mutex.h"
#include "primitives/thread_life.h"
#include "primitives/timing.h"

using namespace heddle::rt;
namespace fiber = heddle::fiber;

static_assert(sizeof(mtx_t) >= sizeof(pthread_mutex_t) && sizeof(cnd_t) >= sizeof(pthread_cond_t));

HEDDLE_REAL(thrd_create);
HEDDLE_REAL(thrd_join);
HEDDLE_REAL(thrd_detach);
HEDDLE_REAL(thrd_sleep);
HEDDLE_REAL(thrd_yield);
HEDDLE_REAL(mtx_init);
HEDDLE_REAL(mtx_lock);
HEDDLE_REAL(mtx_trylock);
HEDDLE_REAL(mtx_timedlock);
HEDDLE_REAL(mtx_unlock);
HEDDLE_REAL(mtx_destroy);
HEDDLE_REAL(cnd_init);
HEDDLE_REAL(cnd_wait);
HEDDLE_REAL(cnd_timedwait);
HEDDLE_REAL(cnd_signal);
HEDDLE_REAL(cnd_broadcast);
HEDDLE_REAL(cnd_destroy);
HEDDLE_REAL(timespec_get);

namespace {

constexpr uint64_t kSecond = 1'000'000'000ull;

pthread_mutex_t* pthread_of(mtx_t* m) { return reinterpret_cast<pthread_mutex_t*>(m); }
pthread_cond_t* pthread_of(cnd_t* c) { return reinterpret_cast<pthread_cond_t*>(c); }
static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t) && sizeof(cnd_t) == sizeof(pthread_cond_t) && thrd_success == 0);

int answer(int error) {
  switch (error) {
    case 0: return thrd_success;
    case ENOMEM: return thrd_nomem;
    case ETIMEDOUT: return thrd_timedout;
    case EBUSY: return thrd_busy;
    default: return thrd_error;
  }
}

}  // namespace

// The start routine returns an int, in the low half of the register for a pointer. As in libc, the other half is undefined.
HEDDLE_SHIM int thrd_create(thrd_t* thread, thrd_start_t start, void* argument) {
  if (current_thread() == nullptr) return real_thrd_create(thread, start, argument);
  value_accessed(thread, true, HEDDLE_HERE);
  const int error = primitives::thread_create(thread, reinterpret_cast<void* (*)(void*)>(reinterpret_cast<void*>(start)), argument, false, HEDDLE_HERE);
  return error == EAGAIN ? thrd_nomem : answer(error);
}

HEDDLE_SHIM int thrd_join(thrd_t thread, int* result) {
  if (current_thread() == nullptr) return real_thrd_join(thread, result);
  void* value = nullptr;
  const int error = primitives::thread_join(thread, &value, HEDDLE_HERE);
  if (error == 0 && result != nullptr) *result = static_cast<int>(reinterpret_cast<intptr_t>(value));
  return answer(error);
}

HEDDLE_SHIM int thrd_detach(thrd_t thread) {
  if (current_thread() != nullptr) return answer(primitives::thread_detach(thread, HEDDLE_HERE));
  return real_thrd_detach(thread);
}

HEDDLE_SHIM void thrd_exit(int result) {
  if (current_thread() != nullptr) primitives::thread_exit(reinterpret_cast<void*>(static_cast<intptr_t>(result)));
  static const auto real = reinterpret_cast<void (*)(int)>(dlsym(RTLD_NEXT, "thrd_exit"));
  real(result);
  __builtin_unreachable();
}

HEDDLE_SHIM int thrd_sleep(const timespec* interval, timespec* rest) {
  if (current_thread() == nullptr) return real_thrd_sleep(interval, rest);
  value_accessed(interval, false, HEDDLE_HERE);
  if (!primitives::valid_timespec(*interval) || interval->tv_sec < 0) return -2;
  return primitives::sleep_for(*interval, rest, HEDDLE_HERE) ? 0 : -1;
}

HEDDLE_SHIM void thrd_yield() {
  if (current_thread() != nullptr) return primitives::yield(HEDDLE_HERE);
  real_thrd_yield();
}

HEDDLE_SHIM int mtx_init(mtx_t* mutex, int type) {
  return initialise(pthread_of(mutex), HEDDLE_HERE, [&] { return real_mtx_init(mutex, type); }, primitives::mutex_init);
}

HEDDLE_SHIM int mtx_lock(mtx_t* mutex) {
  if (current_thread() != nullptr) return answer(primitives::mutex_lock(pthread_of(mutex), HEDDLE_HERE));
  return real_mtx_lock(mutex);
}

HEDDLE_SHIM int mtx_trylock(mtx_t* mutex) {
  if (current_thread() != nullptr) return answer(primitives::mutex_trylock(pthread_of(mutex), HEDDLE_HERE));
  return real_mtx_trylock(mutex);
}

HEDDLE_SHIM int mtx_timedlock(mtx_t* mutex, const timespec* time) {
  if (current_thread() == nullptr) return real_mtx_timedlock(mutex, time);
  if (!primitives::valid_timespec(*time)) return thrd_error;
  return answer(primitives::mutex_timedlock(pthread_of(mutex), primitives::deadline_at(CLOCK_REALTIME, *time), HEDDLE_HERE));
}

HEDDLE_SHIM int mtx_unlock(mtx_t* mutex) {
  if (current_thread() != nullptr) return answer(primitives::mutex_unlock(pthread_of(mutex), HEDDLE_HERE));
  return real_mtx_unlock(mutex);
}

HEDDLE_SHIM void mtx_destroy(mtx_t* mutex) {
  if (current_thread() == nullptr) return real_mtx_destroy(mutex);
  primitives::mutex_destroy(pthread_of(mutex), HEDDLE_HERE);
}

HEDDLE_SHIM int cnd_init(cnd_t* cond) {
  return initialise(pthread_of(cond), HEDDLE_HERE, [&] { return real_cnd_init(cond); }, primitives::cond_init);
}

HEDDLE_SHIM int cnd_wait(cnd_t* cond, mtx_t* mutex) {
  if (current_thread() == nullptr) return real_cnd_wait(cond, mutex);
  return answer(primitives::cond_wait(pthread_of(cond), pthread_of(mutex), kNever, HEDDLE_HERE));
}

HEDDLE_SHIM int cnd_timedwait(cnd_t* cond, mtx_t* mutex, const timespec* time) {
  if (current_thread() == nullptr) return real_cnd_timedwait(cond, mutex, time);
  if (!primitives::valid_timespec(*time)) return thrd_error;
  return answer(primitives::cond_wait(pthread_of(cond), pthread_of(mutex), primitives::deadline_at(CLOCK_REALTIME, *time),
                                      HEDDLE_HERE));
}

HEDDLE_SHIM int cnd_signal(cnd_t* cond) {
  if (current_thread() != nullptr) return answer(primitives::cond_signal(pthread_of(cond), HEDDLE_HERE));
  return real_cnd_signal(cond);
}

HEDDLE_SHIM int cnd_broadcast(cnd_t* cond) {
  if (current_thread() != nullptr) return answer(primitives::cond_broadcast(pthread_of(cond), HEDDLE_HERE));
  return real_cnd_broadcast(cond);
}

HEDDLE_SHIM void cnd_destroy(cnd_t* cond) {
  if (current_thread() == nullptr) return real_cnd_destroy(cond);
  primitives::cond_destroy(pthread_of(cond), HEDDLE_HERE);
}

HEDDLE_SHIM int timespec_get(timespec* time, int base) {
  if (current_thread() == nullptr || base != TIME_UTC) return real_timespec_get(time, base);
  const uint64_t ns = primitives::read_clock(CLOCK_REALTIME, HEDDLE_HERE);
  value_accessed(time, true, HEDDLE_HERE);
  *time = {static_cast<time_t>(ns / kSecond), static_cast<long>(ns % kSecond)};
  return base;
}
