// The identity of an execution graph: equal in all processes and for all orders of execution that make the same graph. Addresses, values and
// numbers of objects are no part of it (values follow from the program and reads-from).
//
// For each thread, named by its lineage, in its order: kind, memory order and outcome of each graph event, and the position (thread, index) of
// the store that it reads. For (po, rf, mo) also, for each store, the position of the one right before it.
#pragma once

#include <cstdint>

#include "schema/coherence.h"

namespace heddle {

struct GraphKey {
  uint64_t low = 0, high = 0;
  bool operator==(const GraphKey&) const = default;
};

struct GraphKeys {
  GraphKey with_coherence;     // (po, rf, mo)
  GraphKey without_coherence;  // (po, rf)
  uint32_t events = 0;         // of the graph
};

// Words of memory that graph_keys() needs for a run.
inline uint64_t graph_key_words(const RunSummary& run) { return uint64_t{run.event_count} + 3 * uint64_t{run.thread_count}; }

// `memory`: graph_key_words(run) words. Allocates nothing.
GraphKeys graph_keys(const RunSummary& run, uint64_t* memory);

}  // namespace heddle
