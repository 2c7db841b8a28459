// From a function without a frame pointer to its caller, by the tables that exceptions are unwound with: what a library was called from, when all that is
// known is the return address into it.
#pragma once

#include <cstdint>

namespace heddle::rt {

// A function's state right behind a call that it has made.
struct CallFrame {
  uintptr_t pc;     // where the call returns to; 0: not known
  uintptr_t stack;  // the stack pointer
  uintptr_t frame;  // the frame pointer's register, whatever the function has in it
};

// Of the function that called the one whose frame pointer is `frame` (and which keeps one).
CallFrame caller_of_frame(uintptr_t pc, uintptr_t frame);
// Of the function that called this one.
CallFrame caller_of(const CallFrame& callee);

}  // namespace heddle::rt
