// pthread_once, and C11's call_once, which is the same function in glibc. std::call_once ends here, too.
#include <pthread.h>
#include <threads.h>

#include "base/asan.h"
#include "intercept/real.h"
#include "intercept/runtime_once.h"
#include "primitives/once.h"

using namespace heddle::rt;

HEDDLE_REAL(pthread_once);

namespace {

constexpr int kDone = 2;  // glibc's value, so that later uncontrolled calls pass

// Also if the routine throws or the thread ends in it. Then another thread may try.
class Running {
 public:
  Running(Object& once, pthread_once_t* control, Place place) : once_(once), control_(control), place_(place) {}
  ~Running() {
    if (current_thread() == nullptr) return;
    primitives::once_end(once_, complete, place_);
    if (complete) __atomic_store_n(control_, kDone, __ATOMIC_RELEASE);
  }
  bool complete = false;

 private:
  Object& once_;
  pthread_once_t* control_;
  Place place_;
};

int controlled_once(pthread_once_t* control, void (*routine)(), Place place) {
  asan_check(control, sizeof *control, true, place.pc, place.frame);
  Object& once = engine().object(reinterpret_cast<uintptr_t>(control), Family::once, place);
  const bool done = __atomic_load_n(control, __ATOMIC_ACQUIRE) == kDone;
  if (!primitives::once_begin(once, done, "a once routine calls the same once again", place)) return 0;
  Running running(once, control, place);
  routine();
  running.complete = true;
  return 0;
}

}  // namespace

HEDDLE_SHIM int pthread_once(pthread_once_t* control, void (*routine)()) {
  if (current_thread() == nullptr) return real_pthread_once(control, routine);
  if (of_the_runtime(control)) {
    const Uncontrolled outside;
    return real_pthread_once(control, routine);
  }
  return controlled_once(control, routine, HEDDLE_HERE);
}

HEDDLE_SHIM void call_once(once_flag* flag, void (*routine)()) {
  auto* control = reinterpret_cast<pthread_once_t*>(flag);
  if (current_thread() == nullptr) real_pthread_once(control, routine);
  else controlled_once(control, routine, HEDDLE_HERE);
}
