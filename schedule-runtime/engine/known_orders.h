// Orders of operations in which the race detector found nothing. An execution with such an order need not be watched again.
//
// Watching for races costs a fifth of a short execution. The behaviour of a program depends on its input and on what its threads learn from one
// another. Its races depend on which of two accesses happens before the other. So executions with the same order of operations, apart from operations
// that are independent, have the same accesses and the same races. After some thousand executions, most orders have occurred before. If that
// is likely, the execution runs unwatched at first. If its order was never watched, or had races, it is repeated with the race detector, and only
// the repetition counts. Both do the same: watching does not change a run (docs/design/runtime-laws.md#what-an-execution-depends-on).
//
// An unwatched execution does not know whether a plain write was new (Engine::wrote_shared_memory), unless it is the first write of its thread since that
// thread last published something. If that matters, because a thread seems to spin, the execution is cut there and repeated with the detector. The same
// happens if something goes wrong: a report contains only what happened under the detector.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/reserved_array.h"
#include "schema/event.h"

namespace heddle::rt {

class KnownOrders {
 public:
  void initialise(size_t threads, size_t objects) {
    threads_.reserve(threads);
    objects_.reserve(objects);
    known_.reserve(kKnown);
  }

  // The order of a run in which all threads have finished: for each operation, which earlier operation on its object it found. It is finer
  // than happens-before, except that loads of an atomic without a store in between have no order. `weak`: a run under a weak memory model.
  // Then which store each operation reads, and the modification orders, are part of it. So it is never that of a run under sc.
  uint64_t order_of(const RunSummary& run, bool weak = false);

  // True if more than eight in nine of the latest orders were known. Running unwatched pays off from two in three on. Even then, one
  // execution in sixty-four is watched, because a program can also depend on addresses or on the number of data bytes.
  bool likely(uint64_t execution) const { return trust_ >= kLikely && mix(execution, 0x0A0D17) % kAudited != 0; }
  bool contains(uint64_t order) { return known_[index(order)] == mark(order); }
  void add(uint64_t order) { known_[index(order)] = mark(order); }
  // Whether the order of the last execution was known.
  void learn(bool known) {
    if (!known) trust_ = trust_ > kLoss ? trust_ - kLoss : 0;
    else if (trust_ < kMost) ++trust_;
  }

 private:
  static constexpr size_t kKnown = 1 << 16;  // direct-mapped: if an order is overwritten, it is watched once more
  static constexpr uint32_t kLoss = 8, kLikely = 64, kMost = 128, kAudited = 64;
  static size_t index(uint64_t order) { return order % kKnown; }
  // Half of the hash is enough to tell orders with the same index apart, and needs half of the cache. Never 0.
  static uint32_t mark(uint64_t order) { return static_cast<uint32_t>(order >> 32) | 1; }

  static uint64_t name(const RunSummary& run, uint32_t event);
  static uint64_t graph_of(const RunSummary& run);

  struct ObjectOrder {
    uint64_t changed;  // up to its last change
    uint64_t looked;   // operations since then that change nothing, in any order
  };
  ReservedArray<uint64_t> threads_;
  ReservedArray<ObjectOrder> objects_;
  ReservedArray<uint32_t> known_;
  uint32_t trust_ = 0;
};

}  // namespace heddle::rt
