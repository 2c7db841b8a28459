#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::rt {

// Whether the fuzzing engine's own callbacks for number comparisons are called. libFuzzer's table of recent comparisons is not needed,
// because the mutator has this information from the run, and the calls take a quarter of the time of plain code. But libFuzzer's value
// profile needs them, and other engines may, too.
void engine_learns_from_numbers(bool learns);

// A comparison of memory or strings at `pc`.
void bytes_compared(uintptr_t pc, const void* a, size_t a_size, const void* b, size_t b_size);

}  // namespace heddle::rt
