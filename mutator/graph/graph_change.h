// Draws one change of a run's execution graph: an event, another store for it to read or to go behind, and what is kept of the rest
// (docs/design/weak-memory.md#changing-a-graph).
#pragma once

#include <vector>

#include "mutator/graph/cut.h"
#include "mutator/graph/run_graph.h"
#include "mutator/rng.h"

namespace heddle::mutator {

enum class ChangedEvents : uint8_t {
  reads,        // loads, read-modify-writes and compare-and-swaps, whose outcome may change, too
  plain_stores,
  all,
};

// The prefix of a graph in which the event has the other source. Empty: no event that was drawn has another one, or the prefix would be too
// long for a schedule.
std::vector<GraphNode> draw_graph_change(const RunGraph& graph, ChangedEvents events, Rng& rng);

}  // namespace heddle::mutator
