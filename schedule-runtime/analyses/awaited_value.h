// What a thread waits for that is blocked in std::atomic::wait or in a primitive that is built of it: the variable, and who changed it last.
#pragma once

#include "analyses/report/story.h"

namespace heddle::rt {

// "    L2 is 1: main.0 stored that at latch.cc:17". False if it is not known which value the thread waits for.
bool add_awaited_value(Story& story, const RunSummary& run, uint32_t wait);

}  // namespace heddle::rt
