// Findings that appear while the run is still going on: misuse of a primitive, data races, the target's own failures.
#pragma once

#include "analyses/report/story.h"
#include "heap/heap_record.h"

namespace heddle::rt {

// Sets the finding sink and, if races are to be reported, the race sink.
void install_live_findings();

// The report of a raised finding. `run`: what was recorded so far.
void tell_raised(const Finding& finding, const RunSummary& run, Story& story);

// The sink.
void report_raised(const Finding& finding);

// The target's own failure. `by`, if not null, did what the last phrase says, and that is the explanation.
void report_failure(const Finding& finding, const Freed* by, const char* did);

}  // namespace heddle::rt
