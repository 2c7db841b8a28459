// What enforcing a chain meets when the run it was made from is replayed up to it (docs/design/gopie.md#the-cut).
#pragma once

#include <cstdint>

#include "mutator/modes/order_source.h"

namespace heddle::mutator {

// No later element must-precedes an earlier one, for all i < j (docs/design/gopie.md#must-order). Must-order is program order,
// creation and join, and nothing that merely happened: no locks, no channels, no values.
bool respects_must_order(const OrderSource& source, const EventChain& chain);

// The time at which a replay of the source's run comes to the first operation that the chain holds back; kNone: to none,
// the chain is in the order of the run.
uint32_t cut_time(const OrderSource& source, const EventChain& chain);

struct CutVerdict {
  bool feasible = true;  // also when that is unknown
  // If not: the acquisition of the lock that is in the way, whose holder waits for its turn in the chain; kNone: something
  // else is in the way.
  uint32_t acquisition = kNone;
  size_t position = 0;  // of the element that cannot come
};

// Walks the recorded operations of each thread from the cut on, with locks, counts and queues in the state of the
// recorded prefix. Infeasible: an element cannot come as long as others are held for theirs. A state in which nothing
// moves and nobody is held is no obstacle: it is a deadlock, which is what we look for.
CutVerdict check_cut(const OrderSource& source, const EventChain& chain);

// Moves the cut before the acquisition that is in the way, by taking it into the chain after what it blocks. False:
// the chain cannot be enforced from any cut that we know.
bool make_feasible(const OrderSource& source, EventChain& chain);

}  // namespace heddle::mutator
