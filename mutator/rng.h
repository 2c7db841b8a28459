// The only source of randomness in a mutation: a stream that starts from the caller's seed (splitmix64).
#pragma once

#include <cstdint>

namespace heddle::mutator {

class Rng {
 public:
  explicit Rng(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    uint64_t z = state_ += 0x9E3779B97F4A7C15ull;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ z >> 27) * 0x94D049BB133111EBull;
    return z ^ z >> 31;
  }
  // 0 <= result < n; 0 for n = 0.
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(((next() >> 32) * n) >> 32); }
  bool chance(uint32_t a, uint32_t of) { return below(of) < a; }

 private:
  uint64_t state_;
};

}  // namespace heddle::mutator
