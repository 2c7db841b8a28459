// The first check of a comparison: only what passes here goes on to be recorded, or to the fuzzing engine. The program's code has it inline
// (harness/gate).
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/gate_layout.h"

namespace heddle::rt {

struct ComparisonGate {
  static constexpr uint64_t kNoLength = 0x9E3779B97F4A7C15;  // a value that no program compares

  uint64_t length = kNoLength;  // comparisons with this number of data bytes are recorded
  bool open = false;            // all are
  bool engine_learns = true;    // all go to the fuzzing engine
};

static_assert(offsetof(ComparisonGate, length) == gate_layout::kLength && sizeof(ComparisonGate) == gate_layout::kComparisonGateSize);
static_assert(offsetof(ComparisonGate, open) == gate_layout::kAllCompared && offsetof(ComparisonGate, engine_learns) == gate_layout::kAllCompared + 1);

extern constinit ComparisonGate g_comparison_gate __asm__("heddle_comparisons") __attribute__((visibility("default")));

}  // namespace heddle::rt
