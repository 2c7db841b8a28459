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

// Fills `out` with the ranges that belong to an execution's initial state (initial_state.h says which) and returns
// their number. 0: the harness opted out, or the program was not linked by heddle's recipe.
size_t find_program_data(DataRange (&out)[kMaxDataRanges]);

// HEDDLE_KEEP_EVERYTHING(): the program starts each execution from what the last one left.
bool keeps_everything();

// Are the variables of libc++'s shared library put back like the program's? Not where the fuzzing engine uses them, too.
bool puts_back_cxx_library();

// Is the data of a loaded library part of the initial state?
bool is_instrumented(const dl_phdr_info& module);
// Are the variables of the module that this code belongs to put back between executions?
bool is_put_back(uintptr_t code);

}  // namespace heddle::rt
