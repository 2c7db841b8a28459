// A use of another thread's local variable after its function has returned.
#pragma once

#include "analyses/report/story.h"
#include "trace/finding.h"

namespace heddle::rt {

void tell_stack_use(const Finding& finding, const RunSummary& run, Story& story);

}  // namespace heddle::rt
