// The guess when nothing that the failing thread read explains the failure: some thread went by a value that another one changed before it looked
// there again. (An early return, a place in a buffer: what follows from such a value leaves no trace in the values that the failing thread reads.)
#pragma once

#include "analyses/report/slice.h"

namespace heddle::rt {

// Adds the last such read of the run, the write that it saw if another thread had made it, and the write that came in between. False: there is none.
bool add_changed_meanwhile(Story& story, const RunSummary& run, const FailingMoment& at);

}  // namespace heddle::rt
