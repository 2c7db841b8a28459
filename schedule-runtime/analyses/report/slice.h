// Where the value comes from that made the program fail: the reads at the place of the failure, the writes that they saw, what the writers had
// read before, and what they overwrote; what others wrote only after the failing thread had read it; and what a thread had read there before another thread wrote it. From operations and plain accesses alone:
// what a thread computed in between is not known.
#pragma once

#include "analyses/report/story.h"
#include "schema/event.h"

namespace heddle::rt {

// Adds them to the story's events and asides. Nothing if the failing thread has read nothing there that another thread has written.
void add_slice(Story& story, const RunSummary& run);

}  // namespace heddle::rt
