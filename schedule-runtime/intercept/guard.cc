// Function-local statics: the compiler's calls around their initialisation (Itanium C++ ABI 3.3.3).
//
// The guard's first byte is the program's own: the compiled code reads it, with an acquire load, before it calls here. That load is a
// visible operation on the same object, so it carries the order from the initialisation to its users.
#include <dlfcn.h>
#include <pthread.h>
#include <sys/syscall.h>

#include <cstdint>

#include "base/asan.h"
#include "base/check.h"
#include "base/raw_syscall.h"
#include "intercept/real.h"
#include "intercept/runtime_once.h"
#include "primitives/atomic_weak.h"
#include "primitives/once.h"

using namespace heddle::rt;

extern "C" {
int __cxa_guard_acquire(uint64_t* guard) noexcept(false);
void __cxa_guard_release(uint64_t* guard) noexcept;
void __cxa_guard_abort(uint64_t* guard) noexcept;
}

HEDDLE_REAL(__cxa_guard_acquire);
HEDDLE_REAL(__cxa_guard_release);
HEDDLE_REAL(__cxa_guard_abort);

namespace {

uint8_t& done_byte(uint64_t* guard) { return *reinterpret_cast<uint8_t*>(guard); }

// On real threads, where the C++ library is in the executable and in no shared library (OSS-Fuzz): the linker takes these functions from heddle, so there are
// no others. The second byte says that a thread initialises, the last four which.
class RealThreads {
 public:
  int acquire(uint64_t* guard) {
    const auto self = static_cast<uint32_t>(raw_syscall(SYS_gettid));
    pthread_mutex_lock(&mutex_);
    while (running(guard)) {
      check(thread(guard) != self, "the initialisation of a static variable uses the variable itself");
      pthread_cond_wait(&changed_, &mutex_);
    }
    const bool initialises = done_byte(guard) == 0;
    if (initialises) {
      running(guard) = 1;
      thread(guard) = self;
    }
    pthread_mutex_unlock(&mutex_);
    return initialises;
  }

  void end(uint64_t* guard, bool success) {
    pthread_mutex_lock(&mutex_);
    running(guard) = 0;
    __atomic_store_n(&done_byte(guard), uint8_t{success}, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&mutex_);
    pthread_cond_broadcast(&changed_);
  }

 private:
  static uint8_t& running(uint64_t* guard) { return *(&done_byte(guard) + 1); }
  static uint32_t& thread(uint64_t* guard) { return *(reinterpret_cast<uint32_t*>(guard) + 1); }

  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t changed_ = PTHREAD_COND_INITIALIZER;
};
constinit RealThreads g_real_threads;

bool no_other_functions() {
  static const bool none = dlsym(RTLD_NEXT, "__cxa_guard_acquire") == nullptr;
  return none;
}

int uncontrolled_acquire(uint64_t* guard) { return no_other_functions() ? g_real_threads.acquire(guard) : real___cxa_guard_acquire(guard); }
void uncontrolled_release(uint64_t* guard) { no_other_functions() ? g_real_threads.end(guard, true) : real___cxa_guard_release(guard); }
void uncontrolled_abort(uint64_t* guard) { no_other_functions() ? g_real_threads.end(guard, false) : real___cxa_guard_abort(guard); }

Object& object_of(uint64_t* guard, Place place) {
  return engine().object(reinterpret_cast<uintptr_t>(guard), Family::atomic, place);
}

uint32_t end(uint64_t* guard, bool success, Place place) { return primitives::once_end(object_of(guard, place), success, place); }

}  // namespace

HEDDLE_SHIM int __cxa_guard_acquire(uint64_t* guard) {
  if (current_thread() == nullptr) return uncontrolled_acquire(guard);
  if (of_the_runtime(guard)) {
    const int initialises = uncontrolled_acquire(guard);
    if (initialises != 0) begin_runtime_static(guard);
    return initialises;
  }
  const Place here = HEDDLE_HERE;
  asan_check(guard, sizeof *guard, true, here.pc, here.frame);
  const bool done = __atomic_load_n(&done_byte(guard), __ATOMIC_ACQUIRE) != 0;
  return primitives::once_begin(object_of(guard, here), done, "the initialisation of a static variable uses the variable itself", here);
}

HEDDLE_SHIM void __cxa_guard_release(uint64_t* guard) noexcept {
  if (current_thread() == nullptr) {
    uncontrolled_release(guard);
    return end_runtime_static(guard);
  }
  const Place here = HEDDLE_HERE;
  // No other thread runs between the event of the end and this store.
  const uint32_t event = end(guard, true, here);
  if (graph::active()) primitives::weak_store_by(object_of(guard, here), event, 1, {done_byte(guard), 0}, {1, 0});
  __atomic_store_n(&done_byte(guard), uint8_t{1}, __ATOMIC_RELEASE);
}

HEDDLE_SHIM void __cxa_guard_abort(uint64_t* guard) noexcept {
  if (current_thread() == nullptr) {
    uncontrolled_abort(guard);
    return end_runtime_static(guard);
  }
  end(guard, false, HEDDLE_HERE);
}
