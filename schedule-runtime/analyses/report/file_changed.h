// The guess when nothing else explains the failure: a thread looks at a file (does it exist, how large is it?) and changes it then, and another one
// has changed it in between. All files are one object, so names are compared (trace/file_notes.h).
#pragma once

#include "analyses/report/slice.h"

namespace heddle::rt {

// Adds the last such change of the run, the look before it, and the other thread's change. False: there is none.
bool add_file_changed(Story& story, const RunSummary& run, const FailingMoment& at);

// The thread's last look at the file of this call, if it came before that change; else kNoEvent.
uint32_t look_before(const RunSummary& run, uint32_t call, uint32_t change);

}  // namespace heddle::rt
