// One atomic variable of the execution graph: its readable stores in modification order, and where each thread has last been in that order.
//
// Positions count the stores from the first one (0). If a store is inserted, the positions of the stores above it grow by one. Only the
// newest stores are kept (the window), in fixed memory, so that an operation costs the same in a short and in a long run.
#pragma once

#include <cstdint>

#include "order/memory.h"
#include "order/vector_clock.h"
#include "schema/event.h"

namespace heddle::rt::graph {

// Bytes of an atomic variable of up to 16 bytes; the rest is 0.
struct Value {
  uint64_t low = 0, high = 0;
  bool operator==(const Value&) const = default;
};

inline constexpr uint32_t kNoThread = 0xFFFFFFFFu;

struct Store {
  Value value;
  order::VectorClock view;    // what an acquire that reads it learns (its release sequence in C++20)
  uint32_t event = kNoEvent;  // kNoEvent: the initial value, or a write from outside of the model
  uint32_t thread = kNoThread;
  uint32_t index = 0;         // the thread's n-th graph event, from 1; 0: the initial value
  uint32_t number = 0;        // of the stores of this location, in the order of execution
  uint32_t order = 0;         // its entry in the run's StoreOrder vector, plus one; 0: none
  bool rmw = false;           // nothing comes between it and the store below it
  bool taken = false;         // the store above it belongs to a read-modify-write that has read it
  bool sc = false;
  uint16_t node = 0xFFFF;     // its number in psc.h; 0xFFFF: none
};

// A store of a location, for as long as it is kept.
struct StoreRef {
  uint32_t slot = 0, number = 0;
};

class Location {
 public:
  void begin(uint32_t object, uintptr_t address, uint32_t size, Value initial, const order::Memory& memory);
  bool begun() const { return count_ != 0; }

  uint32_t oldest() const { return base_; }  // readable
  uint32_t newest() const { return base_ + count_ - 1; }
  Store& at(uint32_t position) { return slots_[order_[position & (capacity_ - 1)]]; }
  const Store& at(uint32_t position) const { return slots_[order_[position & (capacity_ - 1)]]; }

  // Inserts a store at this position, above oldest(). If there are `window` stores already (at least 2), the oldest one is dropped, and its
  // memory is used again. The window may become smaller between two calls; then more are dropped, but none from `position` - 1 on.
  Store& insert(uint32_t position, uint32_t window, const order::Memory& memory);
  StoreRef ref(uint32_t position) const {
    const uint32_t slot = order_[position & (capacity_ - 1)];
    return {slot, slots_[slot].number};
  }
  bool kept(StoreRef r) const { return slots_[r.slot].number == r.number; }
  // REQUIRES: kept(r).
  uint32_t position(StoreRef r) const { return positions_[r.slot]; }

  // No thread reads a store below this position any more.
  void raise_floor(uint32_t position) { floor_ = position > floor_ ? position : floor_; }
  uint32_t floor() const { return floor_ > base_ ? floor_ : base_; }

  // The operation (thread, epoch) has read or written the store at this position.
  void accessed(uint32_t thread, uint32_t epoch, uint32_t position, const order::Memory& memory);
  // The highest position that operations in this past have read or written. All operations of `own` are in its past.
  uint32_t seen(const order::VectorClock& past, uint32_t own) const;

  uint32_t object = 0;
  uint32_t size = 0;
  uintptr_t address = 0;
  uint32_t next_in_granule = 0;   // strong_locations.h
  uint32_t last_foreign = 0;      // number of the last store from outside of the model, plus one
  bool strong = false;            // always the newest store: see strong_locations.h
  bool ended = false;             // its memory belongs to something else now

 private:
  struct Access {
    uint32_t epoch;
    StoreRef store;
  };
  // A thread's accesses to different stores, with increasing epochs and positions. Repeated accesses to one store count once.
  struct Accesses {
    uint32_t thread, size, capacity;
    Access* data;
  };
  static constexpr uint32_t kDropped = 0xFFFFFFFFu;  // no store has this number
  void grow(const order::Memory& memory);
  void drop_oldest();
  Accesses& of(uint32_t thread, const order::Memory& memory);
  void make_room(Accesses& a, const order::Memory& memory);

  Store* slots_ = nullptr;
  uint32_t* order_ = nullptr;      // ring: position & (capacity_ - 1) -> slot
  uint32_t* positions_ = nullptr;  // slot -> position
  uint32_t base_ = 0, count_ = 0, capacity_ = 0, floor_ = 0;
  uint32_t made_ = 0;
  Accesses* accesses_ = nullptr;
  uint32_t threads_ = 0, threads_capacity_ = 0;
};

}  // namespace heddle::rt::graph
