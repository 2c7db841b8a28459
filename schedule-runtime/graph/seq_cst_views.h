// SC of RC11 by views: the order of execution serves as the total order S of the seq_cst events. Sound for runs of any length. A few
// consistent graphs are lost: those whose partial order psc contradicts the order of execution.
//
// An operation with a seq_cst fence in its past must not overwrite or miss anything that was in the past of an earlier seq_cst fence, nor an
// earlier seq_cst store. A seq_cst access must not, either, for all seq_cst fences and stores so far. Both are bounds on the position in
// modification order, so the newest store always remains.
#pragma once

#include "graph/location.h"
#include "order/memory.h"

namespace heddle::rt::graph {

class SeqCstViews {
 public:
  void begin(const order::Memory& memory);

  // A seq_cst fence (thread, epoch) has been executed. `past`: the thread's clock after it.
  void fence(uint32_t thread, uint32_t epoch, const order::VectorClock& past);
  // A seq_cst store has been executed. Positions of later insertions are followed by the location.
  void store(Location& x, uint32_t position);
  bool any() const { return fences_ != 0 || stores_; }

  // So far S was no order of execution (psc.h). From now on, the seq_cst events until here count as one block, before one more fence.
  void take_over();

  // REQUIRES: any(). The lowest admissible position of an operation on x.
  uint32_t floor(const Location& x, const order::VectorClock& past, uint32_t thread, bool seq_cst) const;

 private:
  static constexpr uint32_t kSnapshots = 4096;
  struct Fence {
    uint32_t epoch, number;
  };
  struct Fences {
    Fence* data = nullptr;
    uint32_t size = 0, capacity = 0;
  };
  struct ScStore {
    StoreRef store;   // the newest seq_cst store so far
    uint32_t fences;  // how many seq_cst fences came before it
  };
  struct ScStores {
    ScStore* data = nullptr;
    uint32_t size = 0, capacity = 0;
  };

  void snapshot();
  uint32_t latest_fence(const order::VectorClock& past, uint32_t own) const;
  uint32_t latest_store(const Location& x, uint32_t fences) const;
  // The pasts of the first `number` fences together. If that is no longer kept, the oldest that is: it contains more, which is sound.
  const order::VectorClock& before(uint32_t number) const;

  order::Memory memory_{};
  order::ChunkTable<Fences> by_thread_;
  order::ChunkTable<ScStores> by_object_;
  uint32_t threads_ = 0;   // one above the highest thread with a fence
  uint32_t fences_ = 0;
  uint32_t together_ = 0;  // fences up to this number are one block
  bool stores_ = false;
  order::VectorClock all_;  // the pasts of all fences together
  order::VectorClock* snapshots_ = nullptr;  // ring
  uint32_t snapshot_capacity_ = 0;
};

}  // namespace heddle::rt::graph
