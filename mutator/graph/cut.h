// Prefixes of a run's graph in which one event has another source: another store to read, or another place in modification order.
//
// What comes after the event in porf depended on the old source, and is left out. The event comes last, so it is the last one in porf, too,
// and each choice that coherence admits makes a consistent graph.
#pragma once

#include <cstdint>
#include <vector>

#include "mutator/graph/run_graph.h"
#include "schema/schedule.h"

namespace heddle::mutator {

// What is kept of that which does not come after the event.
enum class Cut : uint8_t {
  maximal,  // everything
  revisit,  // what was executed before the event, and what the new source needs
  minimal,  // only what the event and the new source need
};
inline constexpr int kCutCount = 3;

// The nodes in an order that extends porf, the changed event last. Two read-modify-writes cannot read one store, and no store comes between
// a read-modify-write and what it reads: who holds that place is left out, with all that comes after it. Empty: the event or its new source
// would be left out. REQUIRES: `source` is one of graph.other_sources(event).
std::vector<GraphNode> cut_graph(const RunGraph& graph, uint32_t event, uint32_t source, Cut cut);

// All of the graph, which its run has realised.
std::vector<GraphNode> whole_graph(const RunGraph& graph);

}  // namespace heddle::mutator
