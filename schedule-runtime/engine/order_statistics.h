// What the executions of this process have shown so far, and an estimate of what is left. For HEDDLE_OPTIONS=stats=1.
//
// The probability that one more execution has an order that none had: the share of executions whose order was seen once only (Good, Biometrika
// 1953; for fuzzing: Boehme, STADS, TOSEM 2018). It holds for more executions of the same kind, and a search that learns does better.
//
// Of a long campaign only the orders whose hash is divisible by a power of two are kept, and the
// figures are scaled. So up to 65,536 orders are exact, and the memory is bounded.
#pragma once

#include "base/address_map.h"
#include "base/reserved_array.h"
#include "schema/event.h"

namespace heddle::rt {

class OrderStatistics {
 public:
  struct Figures {
    uint64_t executions, orders, seen_once;  // of executions in which all threads ended
    uint64_t pairs, both_ways;               // racing pairs of positions; those of which either side came first
    uint64_t places,
        in_conflict;  // positions of operations on objects; those where two threads met
    // How likely the next execution of the same kind has an order that none had.
    double new_order() const {
      return executions != 0 ? static_cast<double>(seen_once) / static_cast<double>(executions) : 1;
    }
  };
  // From now on, executions count. (Those before are heddle's own, which try whether the target is under control.)
  void begin();
  // `order`: 0 if the execution did not come to its end.
  void count(uint64_t order, const RunSummary& run);
  // Where two threads did conflicting operations on one object. For runs that showed something new:
  // the others have no new place.
  void look(const RunSummary& run);
  bool begun() const { return begun_; }
  // The process that has asked for this execution counts. It only needs the order.
  void leave_to_other_process() { counted_elsewhere_ = true; }
  bool needs_orders() const { return begun_ || counted_elsewhere_; }
  uint64_t last_order() const { return last_; }
  Figures figures() const {
    return {executions_, orders_.size() << sampled_, once_ << sampled_, pairs_.size(),
            both_ways_,  places_.size(),             in_conflict_};
  }

 private:
  static constexpr uint64_t kMostOrders = 1 << 16;
  // The lowest bit of an order is always set.
  bool in_sample(uint64_t order) const { return (order >> 1 & ((1ull << sampled_) - 1)) == 0; }
  void thin_out();

  AddressMap orders_;  // order -> executions, two at most
  AddressMap pairs_;   // positions -> which sides came first: a bit each
  AddressMap places_;  // position -> 1: it was in conflict
  struct Use {         // of an object in a run
    uint32_t thread, writer;  // the first one, from 1
    bool threads, writers;    // there are others
  };
  ReservedArray<Use> uses_;
  bool begun_ = false, counted_elsewhere_ = false;
  uint32_t sampled_ = 0;  // one in 2^sampled_ orders is kept
  uint64_t last_ = 0;
  uint64_t executions_ = 0, once_ = 0, both_ways_ = 0, in_conflict_ = 0;
};

extern OrderStatistics g_order_statistics;
inline OrderStatistics& order_statistics() { return g_order_statistics; }

}  // namespace heddle::rt
