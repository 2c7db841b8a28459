// The execution graph of a recorded run (schema/coherence.h): its events with reads-from and modification order, and porf, what must come
// before what in each order of execution.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mutator/knowledge/known_run.h"
#include "schema/coherence.h"

namespace heddle::mutator {

struct GraphEvent {
  uint32_t event;   // index into KnownRun::events
  uint32_t index;   // GraphNode::index: the n-th graph event of its thread, from 1
  uint32_t source;  // graph event: the store that it reads, or, for a plain store, the one right before it. kInitialStore: the initial value
  bool reads;
  bool writes;
};

inline constexpr uint32_t kInitialStore = 0xFFFFFFFFu;

class RunGraph {
 public:
  // `run` must outlive the graph. Empty if the run was cut, because indices in threads are then unknown.
  explicit RunGraph(const KnownRun& run);

  const KnownRun& run() const { return run_; }
  // In the order of execution, which is one of those that extend porf.
  std::span<const GraphEvent> events() const { return graph_; }
  const Event& event(uint32_t g) const { return run_.events[graph_[g].event]; }
  // The store right before this store in modification order. REQUIRES: events()[g].writes
  uint32_t before(uint32_t g) const { return before_[g]; }
  // The read-modify-write that has read this store. kInitialStore: there is none. `object`: the location, if `store` is the initial value.
  uint32_t update_of(uint32_t store, uint32_t object) const;

  // One flag for each graph event: does it come after `g` in porf (or is it g)? Does it come before (or is it g)?
  std::vector<bool> after(uint32_t g) const;
  std::vector<bool> up_to(uint32_t g) const;
  // The same without what only the store that `g` reads needs: what `g` itself needs with any source.
  std::vector<bool> up_to_without_source(uint32_t g) const;

  // What `g` could read, or where a plain store could go, instead: stores of its location that do not come after it in porf, and the initial
  // value. Not those that coherence forbids because of what comes before in the same thread, or before the thread was created or joined. The
  // rest of happens-before is not asked: it may depend on what is changed. The run answers what is not admissible with another choice.
  std::vector<uint32_t> other_sources(uint32_t g) const;

 private:
  void find_events();
  void find_porf();
  void find_ranks();
  // In modification order, the highest rank that an event before `g` has read or written at g's location, by program order and threads alone.
  uint32_t floor_of(uint32_t g) const;
  uint32_t rank_of(uint32_t store) const { return store == kInitialStore ? 0 : rank_[store]; }
  std::vector<bool> before_event(uint32_t g, bool with_source) const;

  const KnownRun& run_;
  std::vector<GraphEvent> graph_;
  std::vector<uint32_t> before_;
  std::vector<uint32_t> rank_;    // of stores in modification order, from 1; 0: the initial value
  std::vector<uint32_t> number_;  // event of the run -> graph event
  struct Porf {
    uint32_t in_thread, partner, thread;  // events right before this one; kNoEvent: none
  };
  std::vector<Porf> porf_;
};

}  // namespace heddle::mutator
