// Who closed a descriptor under another thread's hands, and how it came to that: a number that is closed twice can belong to another thread's
// descriptor by then.
#pragma once

#include "analyses/report/story.h"

namespace heddle::rt {

// The last close or shutdown of this object before the operation; kNoEvent: none.
uint32_t close_before(const RunSummary& run, uint32_t object, uint32_t before);

// Adds the close. If its number was closed before, and another thread opened what this close has hit, adds these two as well.
void add_close(Story& story, const RunSummary& run, uint32_t close);

// True for a read or write that failed because its number names nothing, or because the other end is gone.
bool failed_after_close(const Event& e);

}  // namespace heddle::rt
