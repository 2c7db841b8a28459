// Interesting facts about the execution graph of a run under a weak memory model, as features (docs/design/engines.md#features): reads of old
// stores, and stores below newer ones. What the newest store was read by is covered by the pairs of interest.h.
#pragma once

#include "feedback/collector.h"
#include "schema/event.h"

namespace heddle::rt {

// One more pass over the events, for runs with a modification order. REQUIRES: collector.begin() was called for this run.
void collect_graph_features(const RunSummary& run, Collector& collector);

}  // namespace heddle::rt
