// A failure can come of what belongs to the whole process and is no memory, such as the file mask: a call of the failing thread, after the same call
// of another one. No value tells it.
#pragma once

#include <cstdint>

#include "analyses/report/story.h"

namespace heddle::rt {

// The first of these calls, the other thread's, as an index into run_notes(). Those of the same name from it on explain the failure. kNoEvent: none.
uint32_t first_process_call(const RunSummary& run, const Story& story);

}  // namespace heddle::rt
