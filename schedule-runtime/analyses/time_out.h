// Executions that do not end. The engine's time-out ends the process, and heddle adds to the engine's report how it came to that point.
//
// heddle cannot know whether the execution would have ended. A race that makes a cycle in a list keeps the reader busy without end, but a
// long computation also takes time. So the time-out is a finding of the fuzzing engine, not of heddle.
#pragma once

#include "analyses/report/story.h"
#include "schema/event.h"

namespace heddle::rt {

// Called by the handler of the signal with which the engine measures time (signals.h). Does nothing outside of executions.
void report_time_out();
// A child process of the program may be what takes so long: asks it to report. False: there is none.
void set_time_out_hook(bool (*pass_on)());

// `site`: where the thread is.
void tell_time_out(const RunSummary& run, uint32_t thread, uint32_t site, uint32_t context, Story& story);

}  // namespace heddle::rt
