// The program's calls into libraries that are not instrumented (x86-64).
//
// A module calls other modules through its table of imports. When the process starts, the entries that lead to such libraries get thunks
// (library_thunks_x86_64.S). A thunk keeps every register, makes the choice point, and jumps to the function. The libraries of the C and
// C++ compilers and of the system are left out: heddle has shims where it matters there. Of the C++ library, only functions on streams have
// thunks (stream_function.h).
#pragma once

#include <cstdint>

namespace heddle::rt {

// True: the call of heddle_assembly_operation that returns to this address is a thunk's, and the choice point is made. `frame` is the thunk's,
// the arguments are the call's.
bool library_called(uintptr_t return_address, uintptr_t frame, uintptr_t first_argument, uintptr_t second_argument);

}  // namespace heddle::rt
