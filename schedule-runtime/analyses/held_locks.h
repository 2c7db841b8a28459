// Which locks a thread held at a certain point of a run, computed from the events up to there.
#pragma once

#include <cstdint>

#include "schema/event.h"

namespace heddle::rt {

struct HeldLocks {
  static constexpr uint32_t kMost = 8;
  uint32_t event[kMost];  // that took it
  uint32_t count = 0;
};

// After the first `events` of the run. If there are more than kMost locks, the first ones.
HeldLocks held_locks(const RunSummary& run, uint32_t thread, uint32_t events);

}  // namespace heddle::rt
