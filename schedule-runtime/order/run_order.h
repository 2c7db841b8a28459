// The order of a finished run: two clocks per event (docs/design/happens-before.md#two-clocks-per-event).
//
//   req   at the attempt, before its own synchronisation
//   done  after it
//
// The clocks' components are lanes (order/lanes.h), not threads.
//
// A release and its matching acquire are `orderable` (the acquire could have been attempted
// first) and also `before` (it completed after). Confusing the two was the original tools' worst bug.
#pragma once

#include <cstdint>

#include "order/clock_rules.h"
#include "order/lanes.h"
#include "order/memory.h"
#include "schema/event.h"

namespace heddle::order {

class RunOrder {
 public:
  // The cost is linear in events times threads that know each other. `run` is not used afterwards, but `memory` is. Looks at no more than
  // `limit` events.
  RunOrder(const RunSummary& run, Relation relation, Memory memory, uint32_t limit = 0xFFFFFFFFu);

  // Could each of the two have been attempted before the other finished?
  bool orderable(uint32_t a, uint32_t b) const;
  // Did a complete before b completed, by the order and not only by real time? An unfinished `a` completes before nothing. The halves of a
  // rendezvous complete together: the one recorded first counts as the earlier one.
  bool before(uint32_t a, uint32_t b) const;
  // Did a have to complete before b could be attempted? The same with the `req` clock.
  bool precedes(uint32_t a, uint32_t b) const;

  uint32_t size() const { return count_; }
  uint32_t epoch(uint32_t event) const { return clocks_[event].epoch; }

 private:
  // The components of the other threads. Events share a snapshot while nothing changes.
  struct Snapshot {
    const uint32_t* data = nullptr;
    uint32_t size = 0;
    bool covers(uint32_t lane, uint32_t epoch) const {
      return lane < size && data[lane] >= epoch;
    }
  };
  struct EventClocks {
    Snapshot req, done;
    uint32_t lane = 0;
    uint32_t epoch = 0;
    bool finished = false;
  };
  struct ThreadView {
    Snapshot latest;
    uint32_t version = 0;
    bool seen = false;
  };
  struct Build;

  uint32_t count_;
  EventClocks* clocks_;
};

}  // namespace heddle::order
