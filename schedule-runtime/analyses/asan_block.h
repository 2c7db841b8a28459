// The heap block that ASan's report is about.
#pragma once

#include "analyses/report/story.h"
#include "schema/event.h"

namespace heddle::rt {

// If the block was freed: a row for the free, and one name for the block in all rows. False: it was not, or ASan does not report.
bool tell_asan_block(const RunSummary& run, Story& story);

}  // namespace heddle::rt
