// Findings that show while the run is still going on: misuse of a primitive, data races, the target's own failures.
#pragma once

#include "analyses/report/story.h"

namespace heddle::rt {

// Sets the finding sink and, where asked for, the race sink.
void install_live_findings();

// What there is to say about a raised finding. `run`: what has been recorded so far.
void tell_raised(const Finding& finding, const RunSummary& run, Story& story);

// The sink.
void report_raised(const Finding& finding);

}  // namespace heddle::rt
