// A long run is cut into windows, so that a thread which does something new for ever, if only by counting how often it has looked, starves
// nobody: at the end of each window time passes and what the schedule has held back for very long goes, and at the beginning of the next
// all threads are equally likely for a while. How long a window is, is drawn from the seed: short ones end starvation soon, long ones keep
// the strategy's priorities for long. They differ a little, or they might all end at the same place of somebody's loop. The first
// window is the strategy's alone. (Coyote's fair PCT gives up its priorities once, after a fixed number of steps.)
#pragma once

#include <cstdint>

#include "schema/identity.h"

namespace heddle::rt {

class Windows {
 public:
  void begin(uint64_t seed) {
    draw_ = mix(seed, 0x317D0);
    length_ = 1u << (kShortestLog2 + draw_ % (kLongestLog2 - kShortestLog2 + 1));
    even_until_ = 0;
    end_ = length_;
  }
  void next(uint32_t steps) {
    even_until_ = steps + length_ / 4;
    end_ = steps + length_ - mix(draw_, steps) % (length_ / 8);
  }
  bool over(uint32_t steps) const { return steps >= end_; }
  bool even(uint32_t steps) const { return steps < even_until_; }

 private:
  // In steps, of which an operation has two.
  static constexpr uint32_t kShortestLog2 = 10, kLongestLog2 = 14;

  uint64_t draw_ = 0;
  uint32_t length_ = 0;
  uint32_t even_until_ = 0;
  uint32_t end_ = 0;
};

}  // namespace heddle::rt
