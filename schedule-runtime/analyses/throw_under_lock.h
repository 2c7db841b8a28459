// The usual way to leave a lock held: an exception goes past the unlock.
#pragma once

#include "analyses/report/story.h"
#include "schema/event.h"

namespace heddle::rt {

// The thread has taken a lock by this operation, and not released it since. If it has thrown an exception meanwhile, adds where.
void add_throw_under_lock(Story& story, const RunSummary& run, uint32_t taken);

}  // namespace heddle::rt
