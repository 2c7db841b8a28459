// The four rules on chains, and the loop around them (go-family.md 1.2, with what the originals got wrong put right).
#pragma once

#include <cstdint>
#include <vector>

#include "mutator/modes/order_source.h"

namespace heddle::mutator {

// Each adds all chains that the rule makes of `chain` to `out`, or `rules().per_rule` of them, drawn. Two neighbours of one
// thread are in the order of its program in all of them.
void abridge_chain(const OrderSource& source, const EventChain& chain, Rng& rng, std::vector<EventChain>& out);
void flip_chain(const OrderSource& source, const EventChain& chain, Rng& rng, std::vector<EventChain>& out);
void substitute_chain(const OrderSource& source, const EventChain& chain, Rng& rng, std::vector<EventChain>& out);
void augment_chain(const OrderSource& source, const EventChain& chain, Rng& rng, std::vector<EventChain>& out);

// `start` and what the rules make of it, rule upon rule, shortest way first: `count` chains, fewer where there are no more.
std::vector<EventChain> mutants(const OrderSource& source, const EventChain& start, uint32_t count, Rng& rng);

}  // namespace heddle::mutator
