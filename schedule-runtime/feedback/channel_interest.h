// Interesting facts about the channels of a run, as features (docs/design/engines.md#features): which thread passed a value to which, the
// state before and after operations, which channels were created and closed, how full they were.
#pragma once

#include "feedback/collector.h"
#include "schema/event.h"

namespace heddle::rt {

// One more pass over the events, for runs that have channels. REQUIRES: collector.begin() was called for this run.
void collect_channel_features(const RunSummary& run, Collector& collector);

}  // namespace heddle::rt
