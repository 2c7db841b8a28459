// The prefix of an execution graph (Schedule::graph): which store the first events of each thread read, and behind which store theirs go.
//
// An event of the prefix is held until its source has executed, and then favoured. Other graph events wait until the prefix is done. No order
// of execution is stored: each order in which sources come first makes the same graph. If nothing else can run, the ladder lets go of what is
// held, one operation at a time. What does not fit the run is dropped and counted (docs/design/weak-memory.md#prefixes).
//
// Events of a thread without a node, but before a later node of that thread, are free to go, and choose freely.
#pragma once

#include "graph/execution_graph.h"
#include "schema/codec.h"
#include "scheduler/pending.h"

namespace heddle::rt {

class GraphPrefix {
 public:
  void begin(const ScheduleView& schedule);
  bool active() const { return left_ != 0; }

  enum class Place : uint8_t { ready, waits, within, beyond };
  // REQUIRES: is_graph_operation(p) and active().
  Place place(const Pending& p);
  // The op is held, and nothing else can run. It goes. A read's node is dropped; a store keeps its place among the stores of the prefix.
  bool release(const Pending& p);
  // An index into the candidates that realises the op's node. `candidates.count`: there is no node, or its source is not admissible.
  uint32_t choose(const Pending& p, const graph::Location& x, const graph::Candidates& candidates);
  // The thread (its index in the run) has executed one more graph event.
  void executed(uint32_t thread);

  uint32_t dropped() const { return dropped_; }        // nodes that did not fit the run
  uint32_t unrealised() const { return unrealised_; }  // nodes whose source was not admissible

  // Is it about to be an event of the graph? The value of a semaphore is read by the same kind, with a detail.
  static bool is_graph_operation(const Pending& p) {
    return p.kind == Kind::atomic_store || p.kind == Kind::atomic_rmw || p.kind == Kind::atomic_cas || (p.kind == Kind::atomic_load && p.detail == 0);
  }

 private:
  struct Line {  // the nodes of a thread, in the order of their indices
    ThreadId thread;
    uint32_t next, end;   // in nodes_
  };
  Line* line_of(ThreadId thread);
  struct Node : GraphNode {
    bool let_go;  // a store that does not wait until its source has executed
  };
  Node* find(ThreadId thread, uint32_t index);
  Node* node_of(const Pending& p);
  void drop_rest(Line& line);
  bool source_has_executed(const GraphNode& n) const;
  static uint32_t executed_events(ThreadId thread);

  uint32_t left_ = 0;  // nodes
  uint32_t lines_ = 0, dropped_ = 0, unrealised_ = 0;
  Node nodes_[kMaxGraphNodes] = {};
  Line line_[kMaxGraphNodes] = {};
  struct Passed {
    ThreadId thread;
    uint32_t req;  // Pending::req
  };
  static constexpr uint32_t kPassed = 64;
  Passed passed_[kPassed] = {};  // operations beyond the prefix that were let go, by thread
};

}  // namespace heddle::rt
