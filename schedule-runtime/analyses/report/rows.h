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
  uint32_t count;   // number of operations in this row
  uint32_t period;  // number of rows that repeat together, with this one; 0: it does not repeat
  bool marked;
  bool alone;  // on an object that only one thread uses, or without any effect
  bool shown;
};

ReservedArray<Row>& rows();

// One row per operation, repetitions folded, the spinning at the end of a livelock into one row for each operation of its loops; then, as a row of the kind none, where a running thread went wrong, and, if
// asked for, what the others are about to do.
void gather_rows(const RunSummary& run, const Story& story, bool show_pending);

// Cuts a run of more than options().report_rows rows. Operations on objects of only one thread are left out first, then those far from the end. Marked
// and unfinished operations stay. So do the last operations of threads with an unfinished one.
void cut_rows(const RunSummary& run);

}  // namespace heddle::rt
