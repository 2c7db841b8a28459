// An execution that does not end: the engine's time-out ends the process, and what led there is shown beside its report.
//
// Whether it never would have ended nobody can tell, so it is the engine's finding, and none of heddle's: a list that a race has made a circle keeps its reader
// busy for ever, and so does a long computation for a while.
#pragma once

#include "analyses/report/story.h"
#include "schema/event.h"

namespace heddle::rt {

// From the handler of the signal by which the engine measures time (signals.h). Nothing when no execution is under way.
void report_time_out();

// `site`: where the thread is.
void tell_time_out(const RunSummary& run, uint32_t thread, uint32_t site, uint32_t context, Story& story);

}  // namespace heddle::rt
