// COHERENCE of RC11: irreflexive(hb ; eco?). One bound per operation covers CoRR, CoRW, CoWR and CoWW: the newest store that an operation in
// its past has written or read. It reads that store or a newer one, and it stores above it.
#pragma once

#include "graph/location.h"

namespace heddle::rt::graph {

// `past` is the thread's clock before the operation. What the operation acquires adds nothing: by coherence of the graph so far, that is
// not above the store that it reads.
inline uint32_t coherence_floor(const Location& x, const order::VectorClock& past, uint32_t thread) { return x.seen(past, thread); }

}  // namespace heddle::rt::graph
