// What a failing thread received last, from a channel or a descriptor: the failure can come of that, which no access to memory shows.
#pragma once

#include "analyses/report/slice.h"

namespace heddle::rt {

// Adds the operation, and the one that it comes from, to the story's events. False: none of the thread's latest few operations is one.
bool add_last_message(Story& story, const RunSummary& run, const FailingMoment& at);

}  // namespace heddle::rt
