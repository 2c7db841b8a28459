// The report's paragraph on weak memory: which store an operation missed, and what would have ordered the two.
#pragma once

#include <cstdint>

#include "analyses/report/report_text.h"
#include "analyses/report/story.h"
#include "schema/event.h"

namespace heddle::rt {

// The events that the paragraph is about: their rows explain the finding.
struct StaleReads {
  static constexpr uint32_t kMost = 3;
  uint32_t events[2 * kMost];
  uint32_t count = 0;
};

// Tells the last few stale operations that the finding's thread depends on. Nothing if the run was not under a weak memory model.
// `program`: the command of the target.
void put_stale_reads(Text& out, const RunSummary& run, const Story& story, const char* program, StaleReads& told);

}  // namespace heddle::rt
