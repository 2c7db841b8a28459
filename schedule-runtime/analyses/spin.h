// Where a run that ends in nothing but spinning began to spin.
#pragma once

#include <cstdint>

#include "schema/event.h"

namespace heddle::rt {

// The first of the operations from which on the threads only repeat what they do at the run's end. The number of finished operations: they do not
// repeat anything.
uint32_t spin_begin(const RunSummary& run);

// Two operations that are the same turn of a loop.
inline bool same_turn(const Event& a, const Event& b) {
  return a.thread == b.thread && a.pc_index == b.pc_index && a.kind == b.kind && a.object == b.object && a.outcome == b.outcome;
}

}  // namespace heddle::rt
