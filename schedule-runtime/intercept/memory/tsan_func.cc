// The part of the -fsanitize=thread interface that is not about memory: calls and returns maintain the shadow call stack.
//
// The compiler calls these in every function of the target, also outside of executions.
#include "base/program_code.h"
#include "engine/engine.h"
#include "intercept/real.h"

using heddle::rt::Thread;
using heddle::rt::current_thread;

HEDDLE_SHIM void __tsan_init() { heddle::rt::program_code_at(reinterpret_cast<uintptr_t>(__builtin_return_address(0))); }

// `call_pc` is the return address of the instrumented function. The frame of this shim is directly below the function's, and represents it.
HEDDLE_SHIM void __tsan_func_entry(void* call_pc) {
  if (Thread* t = current_thread()) {
    t->stack.enter(reinterpret_cast<uintptr_t>(call_pc), reinterpret_cast<uintptr_t>(__builtin_frame_address(0)));
  }
}

HEDDLE_SHIM void __tsan_func_exit() {
  if (Thread* t = current_thread()) t->stack.leave(reinterpret_cast<uintptr_t>(__builtin_frame_address(0)));
}
