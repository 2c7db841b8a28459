// The one choice function: which stores an operation may read, or at which places its store may go, without breaking an axiom of RC11.
//
// Events are added one at a time, and reads take only stores that have been executed. So "no thin air" holds by itself, and every consistent
// graph can be reached. The newest store is always admissible, so an execution never gets stuck (docs/design/weak-memory.md).
#pragma once

#include "graph/location.h"

namespace heddle::rt::graph {

class Psc;
class SeqCstViews;

enum class Act : uint8_t {
  load,     // also a weak compare-and-swap that fails spuriously
  store,
  update,   // a read-modify-write that always stores
  compare,  // a compare-and-swap: stores if it reads the expected value, else it is a load with the failure order
};

// An operation that is about to be executed.
struct Step {
  Act act;
  MemoryOrder order;
  MemoryOrder failure_order = MemoryOrder::relaxed;  // compare
  uint32_t thread = 0;
  const order::VectorClock* past = nullptr;  // the thread's clock
  Value expected = {};                       // compare
};

// Positions in the location's modification order, the newest first. Of a read: of the store that it may read. Of a store: where it may be
// inserted. Never empty. Valid until the next question.
struct Candidates {
  uint32_t count;
  uint32_t first;
  const uint32_t* positions;  // null: all positions from `first` downwards

  uint32_t operator[](uint32_t k) const { return positions != nullptr ? positions[k] : first - k; }
};

// `room`: for at least as many positions as the location has stores, plus one. SC is judged exactly by `psc`, or else by `views`.
Candidates admissible(const Location& x, const Step& step, const Psc& psc, const SeqCstViews& views, uint32_t* room);

}  // namespace heddle::rt::graph
