#include <errno.h>
#include <pthread.h>

#include "intercept/library_access.h"
#include "primitives/cancellation.h"
#include "primitives/timing.h"

using namespace heddle::rt;

HEDDLE_REAL(pthread_cancel);
HEDDLE_REAL(pthread_setcancelstate);
HEDDLE_REAL(pthread_setcanceltype);
HEDDLE_REAL(pthread_testcancel);

namespace {

// What was set before goes to the program.
int set(int before, int* out, Place place) {
  if (out == nullptr) return 0;
  *out = before;
  value_accessed(out, true, place);
  return 0;
}

}  // namespace

HEDDLE_SHIM int pthread_cancel(pthread_t thread) {
  if (current_thread() != nullptr) return primitives::thread_cancel(thread, HEDDLE_HERE);
  return real_pthread_cancel(thread);
}

HEDDLE_SHIM int pthread_setcancelstate(int state, int* before) {
  if (current_thread() == nullptr) return real_pthread_setcancelstate(state, before);
  if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE) return EINVAL;
  const int result = set(primitives::set_cancel_state(state), before, HEDDLE_HERE);
  primitives::cancel_at_once(HEDDLE_HERE);
  return result;
}

HEDDLE_SHIM int pthread_setcanceltype(int type, int* before) {
  if (current_thread() == nullptr) return real_pthread_setcanceltype(type, before);
  if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) return EINVAL;
  const int result = set(primitives::set_cancel_type(type), before, HEDDLE_HERE);
  primitives::cancel_at_once(HEDDLE_HERE);
  return result;
}

// A thread may do nothing else in a loop, so the others get a turn.
HEDDLE_SHIM void pthread_testcancel() {
  if (current_thread() == nullptr) return real_pthread_testcancel();
  primitives::cancellation_point(HEDDLE_HERE);
  primitives::yield(HEDDLE_HERE, 0);
  primitives::cancellation_point(HEDDLE_HERE);
}
