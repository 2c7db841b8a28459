// What comes after the order that a child of the opening asks for. POS and one order of the threads take turns: POS makes switches
// everywhere, and with priorities a thread that others wait for can come first or last, which POS rarely does in a long run
// (docs/design/measurements-search.md#what-comes-after-the-order).
#pragma once

#include "schema/schedule.h"

namespace heddle::mutator {

inline void continue_in_turns(Schedule& child, uint32_t turn) {
  const bool priorities = turn % 2 != 0;
  child.strategy = priorities ? StrategyId::pct : StrategyId::pos;
  child.pct_depth = priorities ? 1 : 0;  // 1: no change points
}

}  // namespace heddle::mutator
