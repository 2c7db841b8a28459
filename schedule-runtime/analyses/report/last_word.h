// Why a thread took something away from another one that still needs it: what it had learned from the other one last; and what the other one had
// looked at, and was no longer true.
#pragma once

#include "analyses/report/story.h"

namespace heddle::rt {

// Before `events` events the thread `taker` freed or destroyed what `user` used later. Adds the taker's last read before that of what the user had
// written, or wrote only afterwards, and the write; without such a read, its last read-modify-write of that kind. And the user's last look at what
// the taker changed after it. Nothing of what there is not.
void add_last_word(Story& story, const RunSummary& run, uint32_t taker, uint32_t user, uint32_t events);

}  // namespace heddle::rt
