// std::call_once of libc++. Its header checks the flag with an atomic load. The rest is in the library.
#include <pthread.h>

#include "base/asan.h"
#include "intercept/threads/libcxx.h"
#include "primitives/atomic_weak.h"
#include "primitives/once.h"

using namespace heddle::rt;

namespace {

constexpr unsigned long kDone = ~0ul;

Object& object_of(volatile unsigned long* flag, Place place) { return engine().object(reinterpret_cast<uintptr_t>(flag), Family::atomic, place); }

// Also if the function throws or the thread ends in it. Then another thread may try.
class Running {
 public:
  Running(volatile unsigned long* flag, Place place) : flag_(flag), place_(place) {}
  ~Running() {
    if (current_thread() == nullptr) return;
    const uint32_t event = primitives::once_end(object_of(flag_, place_), complete, place_);
    if (!complete) return;
    if (graph::active()) primitives::weak_store_by(object_of(flag_, place_), event, sizeof *flag_, {*flag_, 0}, {kDone, 0});
    __atomic_store_n(flag_, kDone, __ATOMIC_RELEASE);
  }
  bool complete = false;

 private:
  volatile unsigned long* flag_;
  Place place_;
};

void controlled_once(volatile unsigned long* flag, void* argument, void (*function)(void*), Place place) {
  asan_check(const_cast<unsigned long*>(flag), sizeof *flag, true, place.pc, place.frame);
  const bool done = __atomic_load_n(flag, __ATOMIC_ACQUIRE) == kDone;
  if (!primitives::once_begin(object_of(flag, place), done, "a call_once function needs its own result", place)) return;
  Running running(flag, place);
  function(argument);
  running.complete = true;
}

constexpr unsigned long kRuns = 1;
constinit pthread_mutex_t g_mutex = PTHREAD_MUTEX_INITIALIZER;
constinit pthread_cond_t g_changed = PTHREAD_COND_INITIALIZER;

void change(volatile unsigned long* flag, unsigned long value) {
  pthread_mutex_lock(&g_mutex);
  __atomic_store_n(flag, value, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&g_mutex);
  pthread_cond_broadcast(&g_changed);
}

// On threads that are not controlled.
void uncontrolled_once(volatile unsigned long* flag, void* argument, void (*function)(void*)) {
  pthread_mutex_lock(&g_mutex);
  while (*flag == kRuns) pthread_cond_wait(&g_changed, &g_mutex);
  const bool first = *flag != kDone;
  if (first) *flag = kRuns;
  pthread_mutex_unlock(&g_mutex);
  if (!first) return;
  try {
    function(argument);
  } catch (...) {
    change(flag, 0);
    throw;
  }
  change(flag, kDone);
}

[[gnu::always_inline]] inline void once(volatile unsigned long* flag, void* argument, void (*function)(void*), Place place) {
  if (current_thread() != nullptr) controlled_once(flag, argument, function, place);
  else uncontrolled_once(flag, argument, function);
}

}  // namespace

// std::__1::__call_once. In newer versions it takes a std::atomic<unsigned long>.
HEDDLE_LIBCXX(void, _ZNSt3__111__call_onceERVmPvPFvS2_E, (volatile unsigned long* flag, void* argument, void (*function)(void*))) {
  once(flag, argument, function, HEDDLE_HERE);
}
HEDDLE_LIBCXX(void, _ZNSt3__111__call_onceERNS_6atomicImEEPvPFvS3_E, (volatile unsigned long* flag, void* argument, void (*function)(void*))) {
  once(flag, argument, function, HEDDLE_HERE);
}
