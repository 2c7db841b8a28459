// The racing pairs of positions that an execution has shown, each once.
#pragma once

#include <cstdint>

#include "base/address_map.h"
#include "base/reserved_array.h"
#include "schema/event.h"

namespace heddle::rt {

class RacingPairs {
 public:
  // Memory is only reserved here.
  void initialise();
  // A new execution begins.
  void begin();
  // By indices of sites. True if this pair is new and there is room for it: add() must follow. Once for pairs that are `reported`, and once for
  // the others.
  bool is_new(uint32_t a, uint32_t b, bool reported);
  void add(const RacingPair& pair) { pairs_.push() = pair; }
  // Pairs of an earlier run of the same order.
  void take(const RacingPair* pairs, uint32_t count) {
    for (uint32_t i = 0; i < count && !pairs_.full(); ++i) add(pairs[i]);
  }
  // Identifies the variable at a racing address. The value is the same for every access to one variable of this run: a hash of the global's
  // symbol, else its number among the racing addresses.
  uint32_t variable(uintptr_t address);

  const RacingPair* data() const { return pairs_.data(); }
  uint32_t size() const { return static_cast<uint32_t>(pairs_.size()); }

 private:
  static constexpr size_t kMost = 4096;

  ReservedArray<RacingPair> pairs_;
  AddressMap known_;
  AddressMap variables_;
};

}  // namespace heddle::rt
