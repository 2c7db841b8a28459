// Which locks a thread held at a moment of a run, by the events up to then.
#pragma once

#include <cstdint>

#include "schema/event.h"

namespace heddle::rt {

struct HeldLocks {
  static constexpr uint32_t kMost = 8;
  uint32_t event[kMost];  // that took it
  uint32_t count = 0;
};

// After the first `events` of the run. Of more than kMost the first ones.
HeldLocks held_locks(const RunSummary& run, uint32_t thread, uint32_t events);

}  // namespace heddle::rt
