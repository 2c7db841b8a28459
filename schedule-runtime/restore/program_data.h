// Finds the program's own writable data.
#pragma once

#include <link.h>

#include <cstddef>
#include <cstdint>

namespace heddle::rt {

struct DataRange {
  unsigned char* begin = nullptr;
  size_t size = 0;
};

inline constexpr size_t kMaxDataRanges = 256;

// Fills `out` with the ranges of an execution's initial state (see initial_state.h) and returns their number. 0: the harness has switched
// this off, or the program was not linked with heddle's wrapper.
size_t find_program_data(DataRange (&out)[kMaxDataRanges]);

// HEDDLE_KEEP_EVERYTHING(): each execution of the program starts from the state that the last one left.
bool keeps_everything();

// Are the variables of libc++'s shared library restored like the program's? Not if the fuzzing engine uses them, too.
bool puts_back_cxx_library();

// Are the variables of the module that contains this code restored between executions?
bool is_put_back(uintptr_t code);

}  // namespace heddle::rt
