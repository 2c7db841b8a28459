// How fuzzing engines see a counter: as one of eight buckets of its value. A feature of libFuzzer is a pair (counter, bucket). AFL++ has
// the same limits (docs/design/engines.md#extra-counters).
#pragma once

#include <bit>
#include <cstdint>

namespace heddle::rt {

inline constexpr int kBuckets = 8;

// 1, 2, 3, 4-7, 8-15, 16-31, 32-127, 128+ -> 0..7. REQUIRES: value != 0.
constexpr int bucket_of(uint8_t value) {
  if (value >= 128) return 7;
  if (value >= 32) return 6;
  if (value >= 4) return std::bit_width(value);  // 4-7: 3, 8-15: 4, 16-31: 5
  return value - 1;
}

// The smallest value of a bucket. A number in 0..7 is written in this form, so that both engines distinguish all values.
constexpr uint8_t value_of_bucket(int bucket) {
  constexpr uint8_t kFirst[kBuckets] = {1, 2, 3, 4, 8, 16, 32, 128};
  return kFirst[bucket];
}

}  // namespace heddle::rt
