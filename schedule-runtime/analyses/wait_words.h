// More about what a blocked thread waits for, than that.
#pragma once

#include "analyses/report/report_text.h"
#include "analyses/report/story.h"
#include "schema/event.h"

namespace heddle::rt {

// Lines below the one about the wait: the cases of a select, the additions to a wait group. Nothing for other waits.
void put_wait_details(Text& out, const RunSummary& run, uint32_t wait);

// "no other thread has sent on it": for waits of which that says something. Null: another thread has.
const char* words_of_none(const RunSummary& run, uint32_t wait);

// " received from C1", " notified C2": that the event `other` was the other side of what the wait needs.
void put_other_side(Text& out, const RunSummary& run, uint32_t wait, uint32_t other);

// If the thread was cancelled, and the cancellation does not end this wait: who has cancelled it.
void add_cancellation(Story& story, const RunSummary& run, uint32_t wait);

}  // namespace heddle::rt
