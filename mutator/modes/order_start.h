// Where chains begin (docs/design/gopie.md#start-chains).
#pragma once

#include <vector>

#include "mutator/modes/order_source.h"

namespace heddle::mutator {

// At most kStartChains, all different. Without happens-before: Rel2 pairs. With it: operations are drawn by how many operations are
// concurrent with them, and each is followed by concurrent operations on its object.
std::vector<EventChain> start_chains(const OrderSource& source, Rng& rng);

// The patterns of known bugs, in orders that the run did not have: <close, send>, <done, add>, <notify, wait>, ..., the crossings of
// lock-order cycles, and <later, earlier> of atomics.
std::vector<EventChain> special_chains(const OrderSource& source);

// The value of a chain with happens-before: how many operations on their objects are concurrent with its elements.
double concurrency_score(const OrderSource& source, const EventChain& chain);

}  // namespace heddle::mutator
