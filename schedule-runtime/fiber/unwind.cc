// pthread_exit on a fiber: a forced unwind to its base frame, as in glibc's nptl/unwind.c. glibc's function would unwind into the frames of
// the parked donor. Frames of C++ (and of C with -fexceptions) clean up in their landing pads. Frames of plain C clean up through a list of
// jump buffers, which pthread_cleanup_push() makes.
#include <setjmp.h>
#include <unwind.h>

#include <cstdlib>

#include "base/line.h"
#include "fiber/context.h"
#include "fiber/donor.h"
#include "fiber/fiber.h"
#include "fiber/sanitizers.h"
#include "fiber/thread_exit.h"

namespace heddle::fiber {

namespace {

void caught(_Unwind_Reason_Code, _Unwind_Exception*) {
  // A catch (...) that does not rethrow would resume a thread that has ended.
  static constexpr char kMessage[] = "FATAL: exception not rethrown\n";
  rt::write_all(2, kMessage, sizeof kMessage - 1);
  std::abort();
}

// The stack pointer in a jump buffer of glibc. glibc encrypts it with a secret of the process.
uintptr_t stack_pointer_of(const __jmp_buf_tag* buffer) {
  const auto* words = reinterpret_cast<const uintptr_t*>(&buffer->__jmpbuf);
#if defined(__x86_64__)
  constexpr int kStackPointer = 6, kRotation = 17;
  const uintptr_t disguised = words[kStackPointer];
  uintptr_t secret;
  asm("mov %%fs:0x30, %0" : "=r"(secret));
  return (disguised >> kRotation | disguised << (64 - kRotation)) ^ secret;
#elif defined(__aarch64__)
  // The secret has no accessible name. It is computed from a buffer whose stack pointer is known.
  constexpr int kStackPointer = 13;
  jmp_buf own;
  uintptr_t here;
  asm volatile("mov %0, sp" : "=r"(here));
  if (_setjmp(own) != 0) return 0;
  const auto* own_words = reinterpret_cast<const uintptr_t*>(&own[0].__jmpbuf);
  return words[kStackPointer] ^ own_words[kStackPointer] ^ here;
#endif
}

__jmp_buf_tag* buffer_of(__pthread_unwind_buf_t* cleanup) {
  return reinterpret_cast<__jmp_buf_tag*>(cleanup->__cancel_jmp_buf);
}

_Unwind_Reason_Code at_frame(int, _Unwind_Action actions, _Unwind_Exception_Class,
                             _Unwind_Exception*, _Unwind_Context* frame, void* argument) {
  auto* fiber = static_cast<Fiber*>(argument);
  const bool end = (actions & _UA_END_OF_STACK) != 0 ||
                   _Unwind_GetCFA(frame) >= reinterpret_cast<uintptr_t>(fiber->base);
  // The next frame pushed the cleanup. Its code runs the cleanup and continues with next_cleanup().
  if (fiber->cleanups != nullptr &&
      (end || _Unwind_GetCFA(frame) >= stack_pointer_of(buffer_of(fiber->cleanups)))) {
    sanitizers::frames_dropped(fiber);
    _longjmp(buffer_of(fiber->cleanups), 1);
  }
  if (end) {
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
  _Unwind_ForcedUnwind(&fiber->exception, &at_frame, fiber);
  std::abort();
}

void push_cleanup(__pthread_unwind_buf_t* cleanup) {
  Fiber* fiber = current();
  cleanup->__pad[0] = fiber->cleanups;
  fiber->cleanups = cleanup;
}

void pop_cleanup(__pthread_unwind_buf_t* cleanup) {
  current()->cleanups = static_cast<__pthread_unwind_buf_t*>(cleanup->__pad[0]);
}

void next_cleanup(__pthread_unwind_buf_t* cleanup) {
  pop_cleanup(cleanup);
  unwind_current_to_base();
}

}  // namespace heddle::fiber
