// The rows of an interleaving: which operations a report shows, and which it folds.
#pragma once

#include <cstdint>
#include <span>

#include "analyses/report/story.h"
#include "base/reserved_array.h"
#include "schema/event.h"
#include "trace/run_notes.h"

namespace heddle::rt {

struct Row {
  Event event;
  uint32_t index;   // of the event; kNoEvent: none yet
  uint32_t context;
  uint32_t count;   // number of operations in this row
  uint32_t period;  // number of rows that repeat together, including this one; 0: it does not repeat
  bool marked;
  bool alone;  // on an object that only one thread uses, or without effect; never a spurious wake-up
  bool shown;
  bool reference;  // a change of a reference count that has nothing to do with the finding
  bool varies;  // its operations have read or stored different values, or messages of different priorities
  uint64_t passed = 0;  // virtual time, in ns, that its operations waited for
  const Aside* aside = nullptr;  // has the words. If it is no event, `event` is of the kind none, and has only the thread and the position
  bool folded = false;  // counted by an earlier row, because all rows between are left out
};

ReservedArray<Row>& rows();

// Could be one row. A stale read has a row of its own, since the row names the store that it sees.
bool foldable(const Event& a, const Event& b);

// "setrlimit", "stop timer: was not running".
void put_note_words(std::span<char> out, const RunSummary& run, const RunNote& note);

// One row per operation, and one for each aside of the story, marked; repetitions are folded. The spinning at the end of a livelock, or of endless threads, becomes one row for each operation of
// its loops. The events of the story and of `also` are marked.
// Then one for the place where a running thread failed. Then, if requested, what the other threads are about to do.
void gather_rows(const RunSummary& run, const Story& story, std::span<const uint32_t> also, bool show_pending);

// Leaves out the changes of shared_ptr's reference counts, unless one of them is marked or unfinished, or the finding is about its memory. Nothing if
// options().report_rows is 0.
void leave_out_references(const RunSummary& run, const Story& story);

// Cuts a run of more than options().report_rows rows. Operations on objects of only one thread are left out first, then those far from the
// end. What then repeats is folded. Marked and unfinished operations are kept, and so are the last operations of threads with an unfinished one.
void cut_rows(const RunSummary& run);

}  // namespace heddle::rt
