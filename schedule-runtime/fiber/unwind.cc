// pthread_exit on a fiber: a forced unwind to its base frame, as in glibc's nptl/unwind.c. The real
// one would unwind into the parked donor's frames, which are somewhere else.
#include <unwind.h>

#include <cstdlib>

#include "base/line.h"
#include "fiber/context.h"
#include "fiber/donor.h"
#include "fiber/fiber.h"
#include "fiber/sanitizers.h"

namespace heddle::fiber {

namespace {

void caught(_Unwind_Reason_Code, _Unwind_Exception*) {
  // A catch (...) that does not rethrow would resume a thread that has ended.
  static constexpr char kMessage[] = "FATAL: exception not rethrown\n";
  rt::write_all(2, kMessage, sizeof kMessage - 1);
  std::abort();
}

_Unwind_Reason_Code at_frame(int, _Unwind_Action actions, _Unwind_Exception_Class,
                             _Unwind_Exception*, _Unwind_Context* frame, void* argument) {
  auto* fiber = static_cast<Fiber*>(argument);
  if ((actions & _UA_END_OF_STACK) != 0 ||
      _Unwind_GetCFA(frame) >= reinterpret_cast<uintptr_t>(fiber->base)) {
    sanitizers::frames_dropped(fiber);
    heddle_fiber_resume_base(fiber, fiber->base);
  }
  return _URC_NO_REASON;
}

}  // namespace

void unwind_current_to_base() {
  Fiber* fiber = current();
  fiber->exception = {};
  fiber->exception.exception_cleanup = &caught;
  fiber->unwinding = true;
  _Unwind_ForcedUnwind(&fiber->exception, &at_frame, fiber);
  std::abort();
}

}  // namespace heddle::fiber
