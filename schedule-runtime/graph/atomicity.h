// ATOMICITY of RC11: rmw ∩ (rb ; mo) = ∅. The store of a read-modify-write is right above the store that it has read, and stays there.
#pragma once

#include "graph/location.h"

namespace heddle::rt::graph {

// May a read-modify-write that will store read this one? Not if another one has.
inline bool may_be_updated(const Store& s) { return !s.taken; }

// May a store be inserted at this position, below the store that is there now?
inline bool may_be_inserted(const Location& x, uint32_t position) { return position > x.newest() || !x.at(position).rmw; }

}  // namespace heddle::rt::graph
