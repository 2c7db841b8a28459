// What comes after the order that a child of the opening asks for. POS and one order of the threads take turns: POS makes switches
// everywhere, and with priorities a thread that others wait for can come first or last, which POS rarely does in a long run. Who went first
// in the asked order goes on, and who was put off stays behind: often a bug needs more of the same
// (docs/design/measurements-search.md#what-comes-after-the-order).
#pragma once

#include "schema/schedule.h"

namespace heddle::mutator {

// One order of the threads, without change points.
inline void in_one_order(Schedule& child) {
  child.strategy = StrategyId::pct;
  child.pct_depth = 1;
}

// `first` and `last`: threads whose place in the order of the threads is given. kAnyThread: none.
inline void continue_in_turns(Schedule& child, uint32_t turn, ThreadId first, ThreadId last) {
  if (turn % 2 == 0) {
    child.strategy = StrategyId::pos;
    return;
  }
  in_one_order(child);
  if (first != kAnyThread) child.weights.push_back({first, ~uint32_t{0}, 0});
  if (last != kAnyThread) child.weights.push_back({last, 0, 0});
}

}  // namespace heddle::mutator
