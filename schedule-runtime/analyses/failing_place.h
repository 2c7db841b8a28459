// Where a signal's failure is, for its report.
#pragma once

#include <signal.h>
#include <ucontext.h>

#include <cstdint>

namespace heddle::rt {

// `context` is the signal handler's third argument.
uintptr_t program_counter(const void* context);
uintptr_t stack_pointer(const void* context);

// Where the program failed. If heddle failed inside a call of the program (a null pointer for a mutex), that call.
struct FailingPlace {
  uintptr_t pc;     // a return address
  uintptr_t frame;  // frame of the shim that the program called; 0: the program failed by itself
};
FailingPlace failing_place(const void* context, uint32_t thread);

// Its calling context. In a library that is not instrumented, it ends with the program's call into the library.
uint32_t failing_context(const void* context, uint32_t thread);

// The context for those that report the failure after heddle (a sanitizer or the engine): the failure is at the call. ClusterFuzz
// distinguishes bugs by the last report.
void* at_the_call(ucontext_t& copy, void* context);

}  // namespace heddle::rt
