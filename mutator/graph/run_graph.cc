#include "mutator/graph/run_graph.h"

#include <algorithm>

namespace heddle::mutator {

RunGraph::RunGraph(const KnownRun& run) : run_(run) {
  if (run.cut) return;
  find_events();
  find_porf();
  find_ranks();
}

void RunGraph::find_events() {
  const auto size = static_cast<uint32_t>(run_.events.size());
  number_.assign(size, kInitialStore);
  std::vector<uint32_t> store_before(size, kNoEvent), in_thread(run_.threads.size(), 0);
  std::vector<bool> is_store(size, false);
  for (const StoreOrder& s : run_.coherence) {
    is_store[s.event] = true;
    store_before[s.event] = s.after;
  }
  for (uint32_t i = 0; i < size; ++i) {
    const Event& e = run_.events[i];
    if (!is_store[i] && !is_graph_load(e)) continue;
    number_[i] = static_cast<uint32_t>(graph_.size());
    graph_.push_back({i, ++in_thread[e.thread], kInitialStore, !is_plain_store(e), is_store[i]});
  }
  // A source that is no event of the graph (code outside of the model has stored) counts as the initial value.
  const auto number_of = [&](uint32_t event) { return event == kNoEvent ? kInitialStore : number_[event]; };
  before_.reserve(graph_.size());
  for (GraphEvent& g : graph_) {
    before_.push_back(g.writes ? number_of(store_before[g.event]) : kInitialStore);
    g.source = g.reads ? number_of(run_.events[g.event].partner) : before_.back();
  }
}

void RunGraph::find_porf() {
  std::vector<uint32_t> last(run_.threads.size(), kNoEvent), exit_of(run_.objects.size(), kNoEvent);
  porf_.resize(run_.events.size());
  for (uint32_t i = 0; i < run_.events.size(); ++i) {
    const Event& e = run_.events[i];
    Porf& p = porf_[i];
    p = {last[e.thread], e.partner, kNoEvent};
    last[e.thread] = i;
    if (p.in_thread == kNoEvent && e.thread != 0) p.thread = run_.threads[e.thread].create_event;
    // A join follows everything in the thread that it joins.
    if (e.kind == Kind::thread_exit && e.object != 0) exit_of[e.object] = i;
    if (e.kind == Kind::thread_join && e.object != 0) p.thread = exit_of[e.object];
    // Damaged records could name later events. Order of execution extends porf, so those are no edges.
    if (p.partner != kNoEvent && p.partner >= i) p.partner = kNoEvent;
    if (p.thread != kNoEvent && p.thread >= i) p.thread = kNoEvent;
  }
}

uint32_t RunGraph::update_of(uint32_t store, uint32_t object) const {
  for (uint32_t g = 0; g < graph_.size(); ++g) {
    if (graph_[g].reads && graph_[g].writes && graph_[g].source == store && event(g).object == object) return g;
  }
  return kInitialStore;
}

std::vector<bool> RunGraph::after(uint32_t g) const {
  std::vector<bool> is(run_.events.size(), false), out(graph_.size(), false);
  const auto reached = [&](uint32_t event) { return event != kNoEvent && is[event]; };
  for (uint32_t i = graph_[g].event; i < is.size(); ++i) {
    const Porf& p = porf_[i];
    is[i] = i == graph_[g].event || reached(p.in_thread) || reached(p.partner) || reached(p.thread);
    if (is[i] && number_[i] != kInitialStore) out[number_[i]] = true;
  }
  return out;
}

std::vector<bool> RunGraph::up_to(uint32_t g) const { return before_event(g, true); }

std::vector<bool> RunGraph::up_to_without_source(uint32_t g) const { return before_event(g, false); }

std::vector<bool> RunGraph::before_event(uint32_t g, bool with_source) const {
  std::vector<bool> is(run_.events.size(), false), out(graph_.size(), false);
  is[graph_[g].event] = true;
  for (uint32_t i = graph_[g].event + 1; i-- > 0;) {
    if (!is[i]) continue;
    if (number_[i] != kInitialStore) out[number_[i]] = true;
    const uint32_t partner = i != graph_[g].event || with_source ? porf_[i].partner : kNoEvent;
    for (const uint32_t earlier : {porf_[i].in_thread, partner, porf_[i].thread}) {
      if (earlier != kNoEvent) is[earlier] = true;
    }
  }
  return out;
}

void RunGraph::find_ranks() {
  rank_.assign(graph_.size(), 0);
  // A store can be above a later one, so a pass over the events is not enough.
  std::vector<uint32_t> path;
  for (uint32_t g = 0; g < graph_.size(); ++g) {
    if (!graph_[g].writes) continue;
    for (uint32_t s = g; s != kInitialStore && rank_[s] == 0 && path.size() <= graph_.size(); s = before_[s]) path.push_back(s);
    for (; !path.empty(); path.pop_back()) rank_[path.back()] = rank_of(before_[path.back()]) + 1;
  }
}

uint32_t RunGraph::floor_of(uint32_t g) const {
  std::vector<bool> is(run_.events.size(), false);
  is[graph_[g].event] = true;
  const uint32_t object = event(g).object;
  uint32_t floor = 0;
  for (uint32_t i = graph_[g].event + 1; i-- > 0;) {
    if (!is[i]) continue;
    if (const uint32_t n = number_[i]; n != kInitialStore && n != g && event(n).object == object) {
      floor = std::max(floor, rank_of(graph_[n].writes ? n : graph_[n].source));
    }
    for (const uint32_t earlier : {porf_[i].in_thread, porf_[i].thread}) {
      if (earlier != kNoEvent) is[earlier] = true;
    }
  }
  return floor;
}

std::vector<uint32_t> RunGraph::other_sources(uint32_t g) const {
  const std::vector<bool> later = after(g);
  const uint32_t floor = floor_of(g);
  std::vector<uint32_t> out;
  if (graph_[g].source != kInitialStore && floor == 0) out.push_back(kInitialStore);
  for (uint32_t s = 0; s < graph_.size(); ++s) {
    if (graph_[s].writes && !later[s] && rank_[s] >= floor && s != graph_[g].source && event(s).object == event(g).object) out.push_back(s);
  }
  return out;
}

}  // namespace heddle::mutator
