// Finds where the spinning began in a run that ends with nothing but spinning.
#pragma once

#include <cstdint>

#include "schema/event.h"

namespace heddle::rt {

// The first operation from which on the threads only repeat what they do at the end of the run. If nothing repeats, the number of finished
// operations.
uint32_t spin_begin(const RunSummary& run);

// True if the two operations are the same step of a loop.
inline bool same_turn(const Event& a, const Event& b) {
  return a.thread == b.thread && a.pc_index == b.pc_index && a.kind == b.kind && a.object == b.object && a.outcome == b.outcome;
}

}  // namespace heddle::rt
