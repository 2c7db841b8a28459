// Where chains begin (docs/design/gopie.md#start-chains).
#pragma once

#include <vector>

#include "mutator/modes/order_source.h"

namespace heddle::mutator {

// kStartChains at most, each different. Without happens-before: Rel2 pairs. With it: operations drawn by how much
// beside them is concurrent, each followed by concurrent ones on its object.
std::vector<EventChain> start_chains(const OrderSource& source, Rng& rng);

// The shapes of known bugs, in orders that the run did not have: <close, send>, <done, add>, <notify, wait>, ..., the
// crossings of lock-order cycles, and <later, earlier> of atomics.
std::vector<EventChain> special_chains(const OrderSource& source);

// What a chain is worth with happens-before: how much on their objects is concurrent with its elements.
double concurrency_score(const OrderSource& source, const EventChain& chain);

}  // namespace heddle::mutator
