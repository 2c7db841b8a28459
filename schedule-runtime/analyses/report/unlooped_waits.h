// Spurious wake-ups from waits that are in no loop: the thread went on although its condition may not have been true.
#pragma once

#include <cstdint>

#include "analyses/report/story.h"
#include "schema/event.h"

namespace heddle::rt {

// The last few wake-ups from a condition variable without a notification that the finding can depend on, and after which the thread neither waited again
// there nor read its condition again. Their rows explain the finding.
struct UnloopedWakeUps {
  static constexpr uint32_t kMost = 2;
  uint32_t events[kMost];
  uint32_t count = 0;
};
UnloopedWakeUps unlooped_wake_ups(const RunSummary& run, const Story& story);

}  // namespace heddle::rt
