// The races of a run whose reversal makes another order, and the prefixes that do it (dynamic partial-order reduction: Flanagan, Godefroid,
// POPL 2005; the prefixes are those of Abdulla, Aronis, Jonsson, Sagonas: Optimal Dynamic Partial Order Reduction, POPL 2014).
//
// Two operations are dependent if they are of one thread, or on one object and not both only look. A signal that interrupts a thread depends on
// that thread's operations instead: when it is sent decides between which two of them the handler comes. Runs in which dependent operations
// have the same order are one order (a Mazurkiewicz trace).
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "mutator/knowledge/deliveries.h"
#include "mutator/knowledge/known_run.h"

namespace heddle::mutator {

class RunReversals {
 public:
  // `run` must outlive this. REQUIRES: run.can_be_repeated()
  explicit RunReversals(const KnownRun& run);

  // Equal for runs of one order, in which each operation also had the same outcome.
  uint64_t order_key() const { return order_key_; }

  // `second` could go before `first`, as far as the run shows.
  struct Reversal {
    uint32_t first, second;  // events
    // A signal interrupts the thread of one of the two, and the handler is to come before or after that one.
    enum class Handler : uint8_t { none, before_first, after_second } handler = Handler::none;
  };
  std::span<const Reversal> reversals() const { return reversals_; }
  std::span<const Delivery> deliveries() const { return deliveries_; }
  // Everything that does not come after `first`, then `second`.
  std::vector<uint32_t> prefix(const Reversal& r) const;
  // Everything before `event`, which decides otherwise.
  std::vector<uint32_t> prefix(uint32_t event) const;
  // Equal for prefixes that lead to the same runs. The last event is taken as not yet done.
  uint64_t prefix_key(std::span<const uint32_t> events) const;

  // A prefix without its run: how many events of each thread it has, and whose is the last.
  struct Shape {
    std::vector<std::pair<ThreadId, uint32_t>> events;
    ThreadId last;
  };
  Shape shape(std::span<const uint32_t> events) const;
  // Does this run begin with another run's prefix of that shape and key? Then the order that the prefix leads to is likely to be known.
  bool begins_with(const Shape& shape, uint64_t key) const;

  // For each thread the first of its events that is not in the prefix. kNoEvent: all are.
  std::vector<uint32_t> first_left_out(std::span<const uint32_t> events) const;

 private:
  // An event's part in an object.
  struct Access {
    uint32_t object;
    bool changes;
    uint32_t holds_since;  // of an event that gives a lock back: the one that took it; else kNoEvent
  };
  struct Accesses {
    Access at[2];
    uint32_t count = 0;
    std::span<const Access> all() const { return {at, count}; }
  };
  void find_accesses();
  void find_reversals();
  void find_late_signals();
  bool after(uint32_t later, uint32_t earlier) const;  // in the order, or the same
  uint64_t key_of(std::span<const uint32_t> events, bool last_is_open) const;

  const KnownRun& run_;
  const std::vector<Delivery> deliveries_;
  std::vector<uint32_t> receiver_;  // of a signal that interrupts a thread, by event: the thread; else kNoEvent. Empty: there is none
  std::vector<Accesses> accesses_;
  std::vector<uint32_t> number_;    // in its thread, from 1
  std::vector<std::vector<uint32_t>> of_thread_;  // its events
  std::vector<uint32_t> clocks_;    // event x thread: how many events of the thread come before it in the order, itself included
  std::vector<Reversal> reversals_;
  uint64_t order_key_ = 0;
};

}  // namespace heddle::mutator
