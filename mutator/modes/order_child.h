// A chain, or a chain and another case for one of its selects, becomes a schedule to run (docs/design/gopie.md#children).
#pragma once

#include <cstdint>
#include <vector>

#include "mutator/modes/order_source.h"

namespace heddle::mutator {

struct OrderChild {
  EventChain chain;
  uint32_t select = kNone;  // an element whose case is to be another
  int32_t choice = 0;       // -1: default
};

// For each select in the chain whose partner is not in it: a child per case that it did not take, default among them.
void add_select_variants(const OrderSource& source, const EventChain& chain, std::vector<OrderChild>& out);

// The child's schedule. With `replay` it keeps the seed, and so much of what made the source's run what it was as had
// come before the chain holds anything back: then it does again what that run did, up to there. Else the seed is
// drawn, and the chain alone is enforced.
Schedule child_schedule(const OrderSource& source, const OrderChild& child, bool replay, Rng& rng);

// Tells apart what children enforce, whatever they were made from: the chain and the chosen case.
uint64_t chain_key(const OrderSource& source, const OrderChild& child);
// The same from the child's schedule, where its own chain is the last, and its own choice the first. 0: no chain.
uint64_t chain_key(const Schedule& schedule);

}  // namespace heddle::mutator
