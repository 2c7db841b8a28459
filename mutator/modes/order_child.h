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

// For each select in the chain whose partner is not in it: a child for each case that it did not take, including the default.
void add_select_variants(const OrderSource& source, const EventChain& chain, std::vector<OrderChild>& out);

// The child's schedule. With `replay` it keeps the seed and everything that determined the source's run before the chain holds anything
// back. So up to there, the child does the same as that run. Otherwise the seed is drawn, and only the chain is enforced.
Schedule child_schedule(const OrderSource& source, const OrderChild& child, bool replay, Rng& rng);

// A key for what the child enforces, independent of its source: the chain and the chosen case.
uint64_t chain_key(const OrderSource& source, const OrderChild& child);
// The same, computed from the child's schedule. There the last chain is its own, and the first choice is its own. 0: no chain.
uint64_t chain_key(const Schedule& schedule);

}  // namespace heddle::mutator
