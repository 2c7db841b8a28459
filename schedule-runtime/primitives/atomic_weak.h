// Atomics under a weak memory model: the slow path of atomic.h. The value does not come from memory but from a store of the execution graph,
// and a store need not be the newest one of its location. Values are those of any size up to 16 bytes.
#pragma once

#include "engine/engine.h"
#include "graph/execution_graph.h"

namespace heddle::rt::primitives {

template <typename T>
graph::Value value_of(T v) {
  if constexpr (sizeof(T) == 16) return {static_cast<uint64_t>(v), static_cast<uint64_t>(v >> 64)};
  else return {v, 0};
}
template <typename T>
T from_value(graph::Value v) {
  if constexpr (sizeof(T) == 16) return static_cast<T>(v.low) | static_cast<T>(v.high) << 64;
  else return static_cast<T>(v.low);
}

// One operation, from its turn to its commit. Chooses with load(), update(), compare() or store(), and then commits with the matching function.
class WeakOp {
 public:
  // `in_memory`: the value there.
  WeakOp(Object& object, Pending& op, uint32_t size, graph::Value in_memory);

  // The value that a load reads.
  graph::Value load(MemoryOrder order);
  // That a read-modify-write reads.
  graph::Value update();
  // The same for one of which only the newest store is known to be right: an instruction that has its effect on memory itself.
  graph::Value update_newest();
  // That a compare-and-swap reads.
  graph::Value compare(graph::Value expected, MemoryOrder failure_order);
  // True: what the operation stores goes to memory, because it is the newest store. After update() or compare(): its store. Otherwise a store
  // of its own.
  bool stores();
  // The same for an instruction that has its effect on memory itself: what it stores is the newest store.
  void stores_newest();

  // After stores(): the value that its store replaces.
  graph::Value below() const { return location_.at(position_ - 1).value; }

  // The event.
  uint32_t commit_load(Commit&& how);
  uint32_t commit_store(Commit&& how, graph::Value value);

 private:
  uint32_t choose(const graph::Candidates& candidates);
  graph::Value take(uint32_t position);
  graph::Step step(graph::Act act, MemoryOrder order) const;
  graph::ExecutionGraph::Done done(MemoryOrder order) const;
  void add_source(Commit& how) const;

  Object& object_;
  Pending& op_;
  graph::Location& location_;
  uint32_t thread_;
  uint32_t epoch_;
  uint32_t size_;
  uint32_t position_ = 0;  // of the store that is read; then of its own store
  bool reads_ = false;
  uint8_t flags_ = 0;
};

// A thread has stored by other means than an atomic, in this event: a guard of a static variable is done, a future is ready. `before`: what
// its memory held. An acquire that reads the new value sees what the event's thread has published on the object.
void weak_store_by(Object& object, uint32_t event, uint32_t size, graph::Value before, graph::Value after);

// A fence under the model, after its commit. `epoch`: of the fence, from weak_epoch() before the commit.
uint32_t weak_epoch();
void weak_fence(uint32_t epoch);
// The kernel acts as a seq_cst fence in the thread's next event.
void weak_barrier();
// The kernel compares a futex word, in the thread's next event: between two full barriers, and with the newest store.
void weak_glance(const uint32_t* word, Place place);

}  // namespace heddle::rt::primitives
