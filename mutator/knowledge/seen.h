// How often something was tried: small saturating counters, indexed by hash. A collision only makes a pair look more common than it is.
#pragma once

#include <array>
#include <cstdint>

#include "schema/schedule.h"

namespace heddle::mutator {

template <size_t kSlots>
class CountTable {
 public:
  uint8_t count(uint64_t key) const { return counts_[slot(key)]; }
  void add(uint64_t key) {
    uint8_t& c = counts_[slot(key)];
    if (c < 255) ++c;
    // With each increment, another counter is decremented. So a long campaign forgets. Otherwise, in the end, everything would count as
    // tried.
    uint8_t& old = counts_[hand_++ % kSlots];
    if (old > 0) --old;
  }
  static uint64_t pair_key(SiteId a, SiteId b) { return mix(mix(0x51, a), b); }

 private:
  static_assert((kSlots & (kSlots - 1)) == 0);
  static size_t slot(uint64_t key) { return (key ^ key >> 32) & (kSlots - 1); }
  std::array<uint8_t, kSlots> counts_{};
  size_t hand_ = 0;
};

using SeenCounts = CountTable<1 << 14>;

// Adds one element to a key. Occurrences are put into buckets (1, 2, 3-4, 5-8, ...), so that rounds of one loop do not all count as
// different.
uint64_t element_key(uint64_t key, const Element& element);

// A hash of the set of chains and constraints of a schedule. 0: it has none.
uint64_t constraint_key(const Schedule& schedule);

}  // namespace heddle::mutator
