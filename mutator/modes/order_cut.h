// What happens if a chain is enforced after its source run was replayed up to it (docs/design/gopie.md#the-cut).
#pragma once

#include <cstdint>

#include "mutator/knowledge/branch_book.h"
#include "mutator/modes/order_child.h"
#include "mutator/modes/order_source.h"

namespace heddle::mutator {

// No later element must-precedes an earlier one, for all i < j (docs/design/gopie.md#must-order). Must-order is program order, creation and
// join. It does not include what merely happened in the run: locks, channels, values.
bool respects_must_order(const OrderSource& source, const EventChain& chain);

// The time at which a replay of the source's run reaches the first operation that the chain holds back. kNone: there is no such operation,
// because the chain is in the order of the run.
uint32_t cut_time(const OrderSource& source, const EventChain& chain);
// The same, or the earlier time at which the thread comes to the select that is to choose another case. (A select that waits ends later than
// what it has let go.)
uint32_t cut_time(const OrderSource& source, const OrderChild& child);

struct CutVerdict {
  bool feasible = true;  // also when that is unknown
  // If not feasible: the lock acquisition that blocks the chain. The holder of that lock waits for its turn in the chain. kNone: something
  // else blocks the chain.
  uint32_t acquisition = kNone;
  size_t position = 0;  // of the element that cannot come
};

// Simulates the recorded operations of each thread from the cut on. Locks, counts and queues start in the state of the recorded prefix.
// Infeasible: an element cannot come while other threads are held for their elements. A state in which nothing moves and no thread is held
// is fine: it is a deadlock, and the search looks for deadlocks.
CutVerdict check_cut(const OrderSource& source, const EventChain& chain);

// Moves the cut before the blocking acquisition: inserts the acquisition into the chain, after the element that it blocks. False: the chain
// cannot be enforced from any known cut.
bool make_feasible(const OrderSource& source, EventChain& chain);

// Makes the chain feasible, and cuts it to what comes true in walks through the run
// (knowledge/foresight.h). If too little does in a replay of the run, `replay` becomes false: then
// the chain is enforced from the start. False: too little comes then, too.
bool make_realisable(const OrderSource& source, const BranchBook& branches, OrderChild& child,
                     bool& replay, Rng& rng);

}  // namespace heddle::mutator
