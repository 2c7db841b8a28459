#include "mutator/graph/cut.h"

namespace heddle::mutator {
namespace {

GraphNode node_of(const RunGraph& graph, uint32_t g, uint32_t source) {
  const KnownRun& run = graph.run();
  const Event& e = graph.event(g);
  GraphNode n{};
  n.thread = run.threads[e.thread].id;
  n.site = e.site;
  n.index = graph.events()[g].index;
  n.kind = e.kind;
  n.order = static_cast<uint8_t>(e.order);
  if (source != kInitialStore) {
    n.from_thread = run.threads[graph.event(source).thread].id;
    n.from_index = graph.events()[source].index;
  }
  return n;
}

}  // namespace

std::vector<GraphNode> cut_graph(const RunGraph& graph, uint32_t event, uint32_t source, Cut cut) {
  const std::span<const GraphEvent> events = graph.events();
  const std::vector<bool> later = graph.after(event), needed = graph.up_to_without_source(event);
  const std::vector<bool> of_source = source == kInitialStore ? std::vector<bool>(events.size(), false) : graph.up_to(source);
  std::vector<bool> keep(events.size());
  for (uint32_t g = 0; g < events.size(); ++g) {
    keep[g] = !later[g] && (cut == Cut::maximal || (cut == Cut::revisit && g < event) || needed[g] || of_source[g]);
  }
  const uint32_t object = graph.event(event).object;
  // A compare-and-swap may store after the change, even if it did not before.
  const bool stores = events[event].writes || graph.event(event).kind == Kind::atomic_cas;
  if (stores) {
    if (const uint32_t update = graph.update_of(source, object); update != kInitialStore && update != event && keep[update]) {
      const std::vector<bool> gone = graph.after(update);
      if (source != kInitialStore && gone[source]) return {};
      for (uint32_t g = 0; g < events.size(); ++g) {
        if (g != event && gone[g] && needed[g]) return {};
        keep[g] = keep[g] && !gone[g];
      }
    }
  }
  std::vector<GraphNode> nodes;
  for (uint32_t g = 0; g < events.size(); ++g) {
    if (!keep[g]) continue;
    uint32_t from = events[g].source;
    if (!events[g].reads) {
      while (from != kInitialStore && !keep[from]) from = graph.before(from);
      // The changed store goes right behind its source, so it is now the one right before the next store there.
      if (stores && events[event].writes && from == source && graph.event(g).object == object) from = event;
    }
    nodes.push_back(node_of(graph, g, from));
  }
  nodes.push_back(node_of(graph, event, source));
  return nodes;
}

std::vector<GraphNode> whole_graph(const RunGraph& graph) {
  std::vector<GraphNode> nodes;
  for (uint32_t g = 0; g < graph.events().size(); ++g) nodes.push_back(node_of(graph, g, graph.events()[g].source));
  return nodes;
}

}  // namespace heddle::mutator
