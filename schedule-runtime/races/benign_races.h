// Ranges of memory whose races the program has declared benign. Searched only when a race has been found.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/address_map.h"
#include "base/reserved_array.h"

namespace heddle::rt {

class BenignRaces {
 public:
  void initialise() {
    present_.reserve(kMost);
    by_address_.initialise(6);
  }
  // A new execution begins: only the lasting ranges stay.
  void begin() {
    present_.clear();
    by_address_.clear();
    low_ = ~uintptr_t{0};
    high_ = 0;
  }
  // `lasting`: declared outside of executions (constructors, the harness's initialisation), by any thread.
  void add(uintptr_t address, size_t size, bool lasting);
  bool contains(uintptr_t address) const { return within(present_, address) || within(lasting_, address); }
  // The memory gets another owner. This is called often, and mostly for memory without a range.
  void forget(uintptr_t address, size_t size) {
    if (__builtin_expect(address < high_ && address + size > low_, 0)) drop(address, address + size);
  }

 private:
  static constexpr size_t kMost = 1 << 16;

  struct Range {
    uintptr_t begin, end;  // empty: dropped. Filled again when the address is declared again
  };

  static bool within(const ReservedArray<Range>& ranges, uintptr_t address);
  void drop(uintptr_t begin, uintptr_t end);

  ReservedArray<Range> present_, lasting_;
  AddressMap by_address_;  // index + 1 in present_, so that a declaration in a loop makes one range
  uintptr_t low_ = ~uintptr_t{0}, high_ = 0;  // bounds of present_
  bool busy_ = false;      // a thread adds to lasting_
};

extern constinit BenignRaces g_benign_races;
inline BenignRaces& benign_races() { return g_benign_races; }

}  // namespace heddle::rt
