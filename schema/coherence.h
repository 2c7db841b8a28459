// Execution graphs in a run's records: modification order, and which events are events of the graph.
//
// Reads-from is Event::partner. Program order is the order of a thread's events. Under sc, the order of execution is the modification order,
// and a run has no StoreOrder records.
#pragma once

#include <cstdint>

#include "schema/event.h"

namespace heddle {

enum StoreOrderFlag : uint32_t {
  kStoreOvertaken = 1 << 0,      // when it was executed, a newer store was already there
  kStoreBehindForeign = 1 << 1,  // the store before it was made by code outside of the model, and is no event
};

// The place of a store in the modification order of its location, at the end of the run. One record for each store of a run under a weak
// memory model, in the order of the events. The location is the event's object.
struct StoreOrder {
  uint32_t event;
  uint32_t after;  // the store right before it; kNoEvent: the initial value
  uint32_t flags;  // StoreOrderFlag

  bool operator==(const StoreOrder&) const = default;
};
static_assert(sizeof(StoreOrder) == 12);

// The events of an execution graph are all stores (those with a StoreOrder record) and the reads that store nothing. GraphNode::index counts
// both, of one thread, from 1. Fences are no events of the graph, because they have no choice.
//
// Is this event a read that stores nothing? (The value of a semaphore, which is no atomic of the program, is marked as recursive.)
inline bool is_graph_load(const Event& e) {
  if (!e.finished() || (e.flags & kEventRecursive) != 0) return false;
  return e.kind == Kind::atomic_load || (e.kind == Kind::atomic_cas && e.outcome == Outcome::failure);
}

// Does this event of the graph only store? Its partner, if it has one, is no store that it reads.
inline bool is_plain_store(const Event& e) { return e.kind == Kind::atomic_store || e.kind == Kind::once_end; }

// Did an atomic read a store that was not the newest, or store below a newer one?
inline bool is_stale(const Event& e) { return e.finished() && (e.flags & kEventStale) != 0 && kind_info(e.kind).has(kAtomic); }

}  // namespace heddle
