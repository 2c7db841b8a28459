// Why a thread waits although its condition may have changed: it read the condition before another thread changed it. The notification came before it
// began to wait, or there was none.
#pragma once

#include <cstdint>

#include "analyses/report/story.h"

namespace heddle::rt {

// Adds the thread's last such read before it began to wait, and the notifier's write after it, as a sentence (after `indent`) and as rows. False if there
// is none. `notification`: kNoEvent if nobody has notified. Then it is a read with the mutex held, and any other thread's write.
bool add_stale_condition(Story& story, const RunSummary& run, uint32_t wait_began, uint32_t notification, const char* indent = "");

// The same for a thread that waits for something else, such as a future: the last thing that it went by and that another thread has changed since.
bool add_outdated_decision(Story& story, const RunSummary& run, uint32_t wait_began, const char* indent = "");

// Why nobody notifies a thread that waits: who has notified last looked at something afterwards, before the waiting thread changed it, and has not looked
// again. Added in the same way.
void add_unseen_by_notifier(Story& story, const RunSummary& run, uint32_t waiter, uint32_t notification, const char* indent = "");

// Nobody has notified the waiter. Says what another thread read before the waiter changed it on its way to the wait, and did not read again: it may have
// found nothing to do. False: there is nothing of that kind.
bool add_seen_too_early(Story& story, const RunSummary& run, uint32_t wait_began, const char* indent);

}  // namespace heddle::rt
