#include "mutator/graph/graph_change.h"

namespace heddle::mutator {
namespace {

constexpr int kTries = 16;

bool is_among(const GraphEvent& e, ChangedEvents events) {
  return events == ChangedEvents::all || e.reads == (events == ChangedEvents::reads);
}

}  // namespace

std::vector<GraphNode> draw_graph_change(const RunGraph& graph, ChangedEvents events, Rng& rng) {
  const auto size = static_cast<uint32_t>(graph.events().size());
  for (int t = 0; t < kTries && size != 0; ++t) {
    const uint32_t event = rng.below(size);
    if (!is_among(graph.events()[event], events)) continue;
    const std::vector<uint32_t> sources = graph.other_sources(event);
    if (sources.empty()) continue;
    const uint32_t source = sources[rng.below(static_cast<uint32_t>(sources.size()))];
    std::vector<GraphNode> nodes = cut_graph(graph, event, source, static_cast<Cut>(rng.below(kCutCount)));
    if (!nodes.empty() && nodes.size() <= kMaxGraphNodes) return nodes;
  }
  return {};
}

}  // namespace heddle::mutator
