// Why a thread waits although somebody has notified: it read its condition before the notifier changed it. Then it began to wait after the notification.
#pragma once

#include <cstdint>

#include "analyses/report/story.h"

namespace heddle::rt {

// Adds the thread's last such read before it began to wait, and the notifier's write after it, as a sentence (after `indent`) and as rows. False if
// there is none.
bool add_stale_condition(Story& story, const RunSummary& run, uint32_t wait_began, uint32_t notification, const char* indent = "");

}  // namespace heddle::rt
