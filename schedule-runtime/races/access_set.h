// Sets of accesses by several threads, with at most one read and one write of each thread. They live as long as an execution.
#pragma once

#include <cstdint>

#include "base/reserved_array.h"
#include "races/access.h"
#include "races/arena.h"

namespace heddle::rt {

// Open addressing with linear probing. Entries are never removed. Threads have dense numbers, so most entries are in their first slot.
struct AccessSet {
  uint64_t* slots;
  uint32_t mask;
  uint32_t used;

  static uint32_t key(uint64_t a) { return Access::lane(a) << 1 | static_cast<uint32_t>(Access::writes(a)); }
  // The slot of this thread's access in this direction, or the free slot for it.
  uint64_t& slot(uint64_t access) const {
    uint32_t i = key(access) & mask;
    while (slots[i] != 0 && key(slots[i]) != key(access)) i = (i + 1) & mask;
    return slots[i];
  }
};

class AccessSets {
 public:
  void initialise();
  void begin();
  // True if no more sets can be made in this execution.
  bool full() const { return sets_.full(); }

  // A reference to a set is stored in place of an access. Its clock is 0, which no access has.
  static bool is_set(uint64_t a) { return a != 0 && Access::clock(a) == 0; }
  AccessSet& of(uint64_t reference) { return sets_[reference]; }
  uint64_t make(uint64_t first, uint64_t second);
  uint64_t copy(uint64_t reference);
  // Replaces the thread's last access of that direction.
  void put(AccessSet& set, uint64_t access) {
    uint64_t& slot = set.slot(access);
    const bool added = slot == 0;
    slot = access;
    if (added && ++set.used * 4 > set.mask * 3) grow(set);
  }

 private:
  static constexpr uint32_t kMaxSets = 1 << 22;

  uint64_t* slots(uint32_t count);
  void grow(AccessSet& set);

  Arena arena_;
  ReservedArray<AccessSet> sets_;  // entry 0 unused
};

}  // namespace heddle::rt
