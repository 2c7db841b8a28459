// What a thread that only spins reads in each round: its loop ends when one of these values changes.
#pragma once

#include "analyses/report/story.h"
#include "schema/event.h"

namespace heddle::rt {

// ". Each time it reads go = 0, which main.0 wrote last, at q.cc:12". `spin`: the event at which the spinning began. Nothing if
// it reads nothing that is known.
void put_spin_reads(Text& out, const RunSummary& run, const Story& story, uint32_t spin, uint32_t thread);

}  // namespace heddle::rt
