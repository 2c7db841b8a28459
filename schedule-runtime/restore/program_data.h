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

inline constexpr size_t kMaxDataRanges = 1024;

// Fills `out` with the ranges of an execution's initial state (see initial_state.h) and returns their number. 0: the harness has switched
// this off, or the program was not linked with heddle's wrapper.
size_t find_program_data(DataRange (&out)[kMaxDataRanges]);

}  // namespace heddle::rt
