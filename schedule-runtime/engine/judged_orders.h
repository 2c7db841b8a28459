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

class JudgedOrders {
 public:
  void initialise(size_t threads, size_t objects) {
    threads_.reserve(threads);
    objects_.reserve(objects);
    known_.reserve(kKnown);
  }

  // The order of a run in which all threads have finished: what each operation found of those before it on its object. Finer than
  // happens-before, but for loads of an atomic with no store between them, which have none.
  uint64_t order_of(const RunSummary& run);

  // More than eight in nine orders of the latest executions were known: going unwatched pays where two in three are. One in sixty-four is watched even
  // so, for the order is not all that a program can go by: it may look at addresses, or at how many data bytes there are.
  bool likely(uint64_t execution) const { return trust_ >= kLikely && mix(execution, 0x0A0D17) % kAudited != 0; }
  bool contains(uint64_t order) { return known_[index(order)] == mark(order); }
  void add(uint64_t order) { known_[index(order)] = mark(order); }
  // Whether the order of an execution was known.
  void learn(bool known) {
    if (!known) trust_ = trust_ > kLoss ? trust_ - kLoss : 0;
    else if (trust_ < kMost) ++trust_;
  }

 private:
  static constexpr size_t kKnown = 1 << 16;  // direct-mapped: a forgotten order is watched once more
  static constexpr uint32_t kLoss = 8, kLikely = 64, kMost = 128, kAudited = 64;
  static size_t index(uint64_t order) { return order % kKnown; }
  // Half of it is enough to tell orders with one index apart, and spares the caches half. Never 0.
  static uint32_t mark(uint64_t order) { return static_cast<uint32_t>(order >> 32) | 1; }

  struct ObjectOrder {
    uint64_t changed;  // up to its last change
    uint64_t looked;   // the looks at it since then, in any order
  };
  ReservedArray<uint64_t> threads_;
  ReservedArray<ObjectOrder> objects_;
  ReservedArray<uint32_t> known_;
  uint32_t trust_ = 0;
};

}  // namespace heddle::rt
