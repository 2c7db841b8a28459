// The interleaving: one column per thread, time goes down.
#pragma once

#include <cstdint>
#include <span>

#include "analyses/report/story.h"
#include "analyses/report/report_text.h"
#include "schema/event.h"

namespace heddle::rt {

struct Columns {
  uint32_t width;            // of the whole table, in characters
  // Its events are always shown, with a star. If its thread's running operation failed, that is shown as the last row.
  const Story* story;
  std::span<const uint32_t> also;  // more events that explain the finding
  bool show_pending;         // ask the live state for what each thread is about to do (the run has not ended)
};

// A long run is cut to its end and the marked events, and repetitions are folded. A list of its threads and objects follows.
void put_interleaving(Text& out, const RunSummary& run, const Columns& columns);

// options().report_width, or that of the environment (COLUMNS), or the terminal's, or 120.
uint32_t report_width();

}  // namespace heddle::rt
