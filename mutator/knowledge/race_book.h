// The racing pairs of all runs so far, for inputs whose own run is not known. A ring with the latest distinct pairs.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "schema/event.h"

namespace heddle::mutator {

class RaceBook {
 public:
  void add(const RacingPair& pair) {
    const uint64_t key = mix(mix(pair.first, pair.second), pair.first_writes * 2u + pair.second_writes) | 1;
    uint64_t& slot = filter_[key % kSlots];
    if (slot == key) return;
    slot = key;
    if (pairs_.size() < kKept) {
      pairs_.push_back(pair);
    } else {
      pairs_[next_++ % kKept] = pair;
    }
  }
  std::span<const RacingPair> pairs() const { return pairs_; }

 private:
  static constexpr size_t kSlots = 1021;
  static constexpr size_t kKept = 64;
  std::array<uint64_t, kSlots> filter_{};
  std::vector<RacingPair> pairs_;
  size_t next_ = 0;
};

}  // namespace heddle::mutator
