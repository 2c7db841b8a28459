// The children of a run that make other orders: each race the other way round, and each choice with its other outcomes. A child is a chain
// of everything before the reversal, and holds the rest until then (docs/design/exhaust.md#how-they-are-made).
#pragma once

#include <functional>

#include "mutator/orders/far_reversals.h"
#include "mutator/orders/run_reversals.h"
#include "schema/schedule.h"

namespace heddle::mutator {

struct OrderChild {
  Schedule schedule;
  uint64_t prefix;         // equal for children with the same order up to the reversal
  uint32_t first, second;  // the events that are reversed; equal if it is a choice
  RunReversals::Shape shape = {};  // of the prefix; empty if it is a choice
};

// `schedule`: what every child has besides.
void order_children(const KnownRun& run, const RunReversals& reversals, const Schedule& schedule,
                    const std::function<void(OrderChild&&)>& add);

// The same for pairs that lie far apart (far_reversals.h). `exhaust` needs none of them: it comes there by one race after the other.
void far_order_children(const KnownRun& run, const RunReversals& reversals, const Schedule& schedule, FarPairs which,
                        const std::function<void(OrderChild&&)>& add);

// Whether a schedule has room for this child.
bool fits(const Schedule& child);

}  // namespace heddle::mutator
