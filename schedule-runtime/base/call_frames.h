// Finds the caller of a function without a frame pointer, with the tables for exception unwinding. Used to find the call into a library if
// only a return address inside the library is known.
#pragma once

#include <cstdint>

namespace heddle::rt {

// The state of a function directly after a call that it has made.
struct CallFrame {
  uintptr_t pc;     // where the call returns to; 0: not known
  uintptr_t stack;  // the stack pointer
  uintptr_t frame;  // the frame pointer's register, even if the function uses it for something else
};

// The caller of the function with the frame pointer `frame`. REQUIRES: that function keeps a frame pointer.
CallFrame caller_of_frame(uintptr_t pc, uintptr_t frame);
// The caller of this function.
CallFrame caller_of(const CallFrame& callee);

}  // namespace heddle::rt
