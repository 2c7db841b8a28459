// The rows of an interleaving: which operations a report shows, and which of them it folds.
#pragma once

#include <cstdint>

#include "analyses/report/story.h"
#include "base/reserved_array.h"
#include "schema/event.h"

namespace heddle::rt {

struct Row {
  Event event;
  uint32_t context;
  uint32_t count;   // how many operations it stands for
  uint32_t period;  // how many rows repeat together with it, itself included; 0: it does not repeat
  bool marked;
  bool alone;  // on what only one thread ever touches, or without any effect
  bool shown;
};

ReservedArray<Row>& rows();

// One row per operation, repetitions folded, the spinning at the end of a livelock into one row for each operation of its loops; then, as a row of the kind none, where a running thread went wrong, and, if
// asked for, what the others are about to do.
void gather_rows(const RunSummary& run, const Story& story, bool show_pending);

// A run of more than options().report_rows rows: what nobody else ever touches goes, then what is far from the end. Marked and unfinished ones stay,
// and what threads with an unfinished one did last.
void cut_rows(const RunSummary& run);

}  // namespace heddle::rt
