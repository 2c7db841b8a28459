// Interesting facts about a run, as features (docs/design/engines.md#features). No feature contains the identity of a thread: the effect of two
// threads with the same code on each other is one feature, for any two threads.
#pragma once

#include "feedback/collector.h"
#include "schema/event.h"

namespace heddle::rt {

// One pass over the events: no allocation, no clearing. REQUIRES: collector.begin() was called for this run.
void collect_features(const RunSummary& run, Collector& collector);

// Only the features that depend on the input and not only on the order of operations.
void collect_chain_features(const RunSummary& run, Collector& collector);

// Equal for runs in which the same operations read from, locked after, or were woken by the same operations.
uint64_t order_class(const RunSummary& run);

}  // namespace heddle::rt
