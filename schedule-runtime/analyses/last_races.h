// The guess when nothing else explains a failure: the execution's last data races. What follows from them may have gone through a file, or through
// memory that nobody looked at for long.
#pragma once

#include "analyses/report/slice.h"

namespace heddle::rt {

// Adds the accesses of the last pairs before the failure, as far as they are still known. False: there are none.
bool add_last_races(Story& story, const RunSummary& run, const FailingMoment& at);
// Those of a run that has ended.
bool add_last_races(Story& story, const RunSummary& run);

}  // namespace heddle::rt
