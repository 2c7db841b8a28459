// Executions that do not end. The engine's time-out ends the process, and heddle adds to the engine's report how it came to that point.
//
// heddle cannot know whether the execution would have ended. A race that makes a cycle in a list keeps the reader busy without end, but a long computation
// also takes its time. So the time-out is a finding of the engine, not of heddle.
#pragma once

#include "analyses/report/story.h"
#include "schema/event.h"

namespace heddle::rt {

// From the handler of the signal by which the engine measures time (signals.h). Nothing when no execution is under way.
void report_time_out();

// `site`: where the thread is.
void tell_time_out(const RunSummary& run, uint32_t thread, uint32_t site, uint32_t context, Story& story);

}  // namespace heddle::rt
