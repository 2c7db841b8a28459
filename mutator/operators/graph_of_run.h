// What the moves on execution graphs share: the parent's graph with one change becomes the child's prefix.
#pragma once

#include <utility>

#include "mutator/graph/graph_change.h"
#include "mutator/operators/operator.h"

namespace heddle::mutator {

inline bool change_graph(Context& c, ChangedEvents events) {
  if (!c.run || c.run->run().coherence.empty()) return false;
  std::vector<GraphNode> nodes = draw_graph_change(RunGraph(c.run->run()), events, c.rng);
  if (nodes.empty()) return false;
  c.schedule.graph = std::move(nodes);
  return true;
}

}  // namespace heddle::mutator
