// The parts of the -fsanitize=thread interface that are no memory access: calls and returns keep the shadow call stack.
//
// The compiler calls these in every function of the target, whether or not an execution runs.
#include "engine/engine.h"
#include "intercept/real.h"

using heddle::rt::Thread;
using heddle::rt::current_thread;

HEDDLE_SHIM void __tsan_init() {}

// `call_pc` is where the instrumented function will return to. Our frame lies directly below the function's: it stands for it.
HEDDLE_SHIM void __tsan_func_entry(void* call_pc) {
  if (Thread* t = current_thread()) {
    t->stack.enter(reinterpret_cast<uintptr_t>(call_pc), reinterpret_cast<uintptr_t>(__builtin_frame_address(0)));
  }
}

HEDDLE_SHIM void __tsan_func_exit() {
  if (Thread* t = current_thread()) t->stack.leave(reinterpret_cast<uintptr_t>(__builtin_frame_address(0)));
}
