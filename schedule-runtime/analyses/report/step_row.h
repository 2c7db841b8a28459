// A step of memory as a marked row: a recorded operation has its own, and a plain access gets one.
#pragma once

#include "analyses/report/memory_steps.h"
#include "analyses/report/story.h"

namespace heddle::rt {

// `stored`: an access that has read what this write stored; null: none is known.
void add_step(Story& story, const RunSummary& run, const MemorySteps& steps, uint32_t step, const LoggedAccess* stored = nullptr);

// The name of its memory, as in the row. Empty: it has none, and no row.
std::string_view name_of_step(Story& story, const RunSummary& run, const MemoryStep& step);

}  // namespace heddle::rt
