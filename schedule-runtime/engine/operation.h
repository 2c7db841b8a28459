// What a primitive tells the engine about an operation: on arrival (OpSpec) and when it is done (Commit).
#pragma once

#include <cstdint>

#include "engine/thread.h"
#include "order/vector_clock.h"

namespace heddle::rt {

// Where an operation comes from: the shim's return address and its frame. HEDDLE_HERE is for shims only.
struct Place {
  uintptr_t pc;
  uintptr_t frame;
};
#define HEDDLE_HERE                                                    \
  ::heddle::rt::Place {                                                \
    reinterpret_cast<uintptr_t>(__builtin_return_address(0)),          \
        reinterpret_cast<uintptr_t>(__builtin_frame_address(0))        \
  }

struct OpSpec {
  Kind kind;
  Object* object = nullptr;
  Place place;
  MemoryOrder order = MemoryOrder::plain;
  MayGo may_go = nullptr;
  uint64_t deadline = kNever;
  uintptr_t detail = 0;
  bool may_time_out_early = false;
  bool prefers = false;  // may_go is what the schedule prefers, not what the op needs: see Pending::prefers
};

struct Commit {
  Outcome outcome = Outcome::none;
  uint32_t value = 0;             // folded hash of the value read or written
  uint32_t partner = kNoEvent;    // event that its value, lock or wake-up comes from
  uint32_t choice = 0;
  uint8_t flags = 0;              // more EventFlags
  uint8_t bytes = 1;              // size in its object's memory, for the race detector: an atomic's size; 1 for locks and similar objects
  bool stored = true;             // false: its kind writes, but it stored nothing (failed cas, failed trylock). An equal value is stored, too
  bool unchanged = false;         // of a read-modify-write: it stored the value that it found
  bool news = false;              // counts as progress with any value: a loop of such operations is not spinning
  const order::VectorClock* source = nullptr;  // release view of the store that it reads; null: that of the object's latest store
  uint32_t partner_thread = kNoEvent;  // thread of a partner that has arrived and not yet gone on (rendezvous)
};

}  // namespace heddle::rt
