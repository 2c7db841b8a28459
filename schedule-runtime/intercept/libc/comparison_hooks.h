#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::rt {

// Whether the engine's own callbacks for compared numbers are called. What libFuzzer learns there (its table of recent comparisons) the mutator
// knows from the run itself, and the calls are a quarter of what plain code costs; its value profile needs them, and so may other engines.
void engine_learns_from_numbers(bool learns);

// Memory or strings, at `pc`.
void bytes_compared(uintptr_t pc, const void* a, size_t a_size, const void* b, size_t b_size);

}  // namespace heddle::rt
