#include "scheduler/graph_prefix.h"

#include <algorithm>

#include "trace/recorder.h"

namespace heddle::rt {
namespace {

bool fits_a_graph(const GraphNode& n) {
  const bool kind = n.kind == Kind::atomic_load || n.kind == Kind::atomic_store || n.kind == Kind::atomic_rmw || n.kind == Kind::atomic_cas ||
                    n.kind == Kind::once_end;
  return kind && n.thread != kAnyThread && n.index != 0 && (n.from_index == 0 || n.from_thread != kAnyThread);
}

bool comes_before(const GraphNode& a, const GraphNode& b) { return a.thread != b.thread ? a.thread < b.thread : a.index < b.index; }

bool same_event(const GraphNode& a, const GraphNode& b) { return a.thread == b.thread && a.index == b.index; }

uint32_t index_of(ThreadId thread) {
  const Recorder& r = recorder();
  for (uint32_t i = 0; i < r.threads.size(); ++i) {
    if (r.threads[i].id == thread) return i;
  }
  return kNoEvent;
}

}  // namespace

uint32_t GraphPrefix::executed_events(ThreadId thread) {
  const uint32_t index = index_of(thread);
  return index != kNoEvent ? graph::execution_graph().events_of(index) : 0;
}

void GraphPrefix::begin(const ScheduleView& schedule) {
  left_ = lines_ = dropped_ = unrealised_ = 0;
  if (schedule.memory_model == MemoryModel::sc || schedule.graph.empty()) return;
  for (Passed& p : passed_) p = {};
  for (const GraphNode& n : schedule.graph) {
    if (!fits_a_graph(n)) {
      ++dropped_;
      continue;
    }
    nodes_[left_++] = {n, false};
  }
  // Of two nodes for one event, the first one holds: an insertion sort is stable, and prefixes are short.
  for (uint32_t i = 1; i < left_; ++i) {
    const Node n = nodes_[i];
    uint32_t at = i;
    for (; at > 0 && comes_before(n, nodes_[at - 1]); --at) nodes_[at] = nodes_[at - 1];
    nodes_[at] = n;
  }
  Node* const end = std::unique(nodes_, nodes_ + left_, same_event);
  dropped_ += static_cast<uint32_t>(nodes_ + left_ - end);
  left_ = static_cast<uint32_t>(end - nodes_);
  for (uint32_t i = 0; i < left_; ++i) {
    if (i == 0 || nodes_[i].thread != nodes_[i - 1].thread) line_[lines_++] = {nodes_[i].thread, i, i};
    line_[lines_ - 1].end = i + 1;
  }
}

GraphPrefix::Line* GraphPrefix::line_of(ThreadId thread) {
  for (uint32_t i = 0; i < lines_; ++i) {
    if (line_[i].thread == thread) return &line_[i];
  }
  return nullptr;
}

void GraphPrefix::drop_rest(Line& line) {
  dropped_ += line.end - line.next;
  left_ -= line.end - line.next;
  line.next = line.end;
}

GraphPrefix::Node* GraphPrefix::find(ThreadId thread, uint32_t index) {
  const Line* const line = line_of(thread);
  if (line == nullptr) return nullptr;
  for (uint32_t i = line->end; i-- > 0 && nodes_[i].thread == thread;) {
    if (nodes_[i].index == index) return &nodes_[i];
  }
  return nullptr;
}

// The node of the op that is about to be executed. Null: it has none.
GraphPrefix::Node* GraphPrefix::node_of(const Pending& p) {
  Line* const line = line_of(p.thread);
  if (line == nullptr || line->next == line->end) return nullptr;
  Node& n = nodes_[line->next];
  if (n.index != graph::execution_graph().events_of(p.thread_index) + 1) return nullptr;
  // Another event than the prefix means, so the rest of the thread is another one, too.
  // (The order of a compare-and-swap is that of its outcome, which is not known yet.)
  if (n.kind != p.kind || n.site != p.site || (n.kind != Kind::atomic_cas && n.order != static_cast<uint8_t>(p.order))) {
    drop_rest(*line);
    return nullptr;
  }
  return &n;
}

bool GraphPrefix::source_has_executed(const GraphNode& n) const { return n.from_index == 0 || executed_events(n.from_thread) >= n.from_index; }

GraphPrefix::Place GraphPrefix::place(const Pending& p) {
  if (const Node* const n = node_of(p)) return n->let_go || source_has_executed(*n) ? Place::ready : Place::waits;
  const Line* const line = line_of(p.thread);
  if (line != nullptr && line->next != line->end) return Place::within;
  const Passed& passed = passed_[p.thread_index % kPassed];
  const bool let_go = passed.thread == p.thread && passed.req == p.req;
  return let_go || left_ == 0 ? Place::within : Place::beyond;
}

bool GraphPrefix::release(const Pending& p) {
  if (left_ == 0 || !is_graph_operation(p)) return false;
  switch (place(p)) {
    case Place::waits: {
      Line& line = *line_of(p.thread);
      // Modification order may go against the order of execution: then the store is placed above what has been executed of those below it.
      if (p.kind == Kind::atomic_store) {
        nodes_[line.next].let_go = true;
        return true;
      }
      ++line.next;
      ++dropped_;
      --left_;
      return true;
    }
    case Place::beyond:
      passed_[p.thread_index % kPassed] = {p.thread, p.req};
      return true;
    default: return false;
  }
}

uint32_t GraphPrefix::choose(const Pending& p, const graph::Location& x, const graph::Candidates& candidates) {
  const Node* n = left_ != 0 ? node_of(p) : nullptr;
  if (n == nullptr) return candidates.count;
  if (n->let_go) {
    const Node* below = n;
    for (uint32_t i = 0; below != nullptr && !source_has_executed(*below) && i < kMaxGraphNodes; ++i) below = find(below->from_thread, below->from_index);
    if (below != nullptr) n = below;
  }
  const auto is_source = [n](const graph::Store& s) {
    if (n->from_index == 0) return s.event == kNoEvent && s.number == 0;
    return s.index == n->from_index && s.thread != graph::kNoThread && recorder().threads[s.thread].id == n->from_thread;
  };
  uint32_t source = x.newest();
  while (!is_source(x.at(source)) && source != x.oldest()) --source;
  uint32_t found = candidates.count;
  if (is_source(x.at(source))) {
    for (uint32_t k = 0; k < candidates.count; ++k) {
      // A store goes to the lowest admissible place above its source.
      if (p.kind == Kind::atomic_store ? candidates[k] > source : candidates[k] == source) found = k;
    }
  }
  unrealised_ += found == candidates.count;
  return found;
}

void GraphPrefix::executed(uint32_t thread) {
  if (left_ == 0) return;
  Line* const line = line_of(recorder().threads[thread].id);
  if (line == nullptr) return;
  const uint32_t done = graph::execution_graph().events_of(thread);
  while (line->next != line->end && nodes_[line->next].index <= done) {
    ++line->next;
    --left_;
  }
}

}  // namespace heddle::rt
