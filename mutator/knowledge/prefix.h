// The beginning of a run, as the constraints that repeat it.
#pragma once

#include <span>

#include "schema/schedule.h"

namespace heddle::mutator {

// The schedule makes these operations first, in this order. `left_out`: the next operation of each thread that goes on, which waits for the last
// of them. REQUIRES: !prefix.empty()
inline void put_prefix(Schedule& schedule, std::span<const Element> prefix, std::span<const Element> left_out) {
  schedule.elements.assign(prefix.begin(), prefix.end());
  schedule.delays.clear();
  for (const Element& operation : left_out) schedule.delays.push_back({operation, prefix.back()});
}

}  // namespace heddle::mutator
