// A long run is cut into windows, so that a thread which does something new for ever, if only by counting how often it has looked, starves
// nobody: at the end of each window some time passes and what the schedule has held back for very long goes, and at the beginning of the next
// all threads are equally likely for a while. How long a window is, is drawn from the seed: short ones end starvation soon, long ones keep
// the strategy's priorities for long. They differ a little, or they might all end at the same place of somebody's loop. The first
// window is the strategy's alone. (Coyote's fair PCT gives up its priorities once, after a fixed number of steps.)
//
// Where nobody comes to a place that is new to it, all run in loops, and somebody may be waiting in one for a thread that does not get its turn: there
// a window ends earlier, mostly after a few dozen operations. Seldom after many, for a loop of many rounds may be just what the bug needs.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "schema/identity.h"

namespace heddle::rt {

class Windows {
 public:
  void begin(uint64_t seed) {
    draw_ = mix(seed, 0x317D0);
    length_ = 1u << (kShortestLog2 + draw_ % (kLongestLog2 - kShortestLog2 + 1));
    loops_ = std::min(kShortestLoops << std::countr_zero(draw_ >> 32 | 1u << (kLongestLog2 - kShortestLog2)), length_);
    even_until_ = ended_ = 0;
    last_ = length_;
    end_ = std::min(loops_, last_);
  }
  // A thread is about to do something for the first time at this place.
  void new_place(uint32_t steps) { end_ = std::min(steps + loops_, last_); }
  // False: it ends early, for loops.
  bool whole(uint32_t steps) const { return steps >= last_; }
  // How much time may pass at its end, in ns. The more the more windows there have been: a limit of a minute is meant for more than some hundred operations.
  uint64_t time() const { return kFirstTime << std::min(3 * ended_, 36u); }
  // How long nobody may come to a new place.
  uint32_t loops() const { return loops_; }
  void next(uint32_t steps) {
    uint32_t length = loops_;
    if (whole(steps)) {
      length = length_;
      last_ = steps + shortened(length_, steps);
      ++ended_;
    }
    even_until_ = steps + length / 4;
    end_ = std::min(steps + shortened(loops_, steps), last_);
  }
  bool over(uint32_t steps) const { return steps >= end_; }
  bool even(uint32_t steps) const { return steps < even_until_; }

 private:
  // In steps, of which an operation has two.
  static constexpr uint32_t kShortestLog2 = 10, kLongestLog2 = 14, kShortestLoops = 1 << 7;
  static constexpr uint64_t kFirstTime = 100'000'000;

  uint32_t shortened(uint32_t length, uint32_t steps) const { return length - mix(draw_, steps) % (length / 8); }

  uint64_t draw_ = 0;
  uint32_t length_ = 0;
  uint32_t loops_ = 0;
  uint32_t even_until_ = 0;
  uint32_t ended_ = 0;  // whole ones
  uint32_t last_ = 0;   // where the window ends in any case
  uint32_t end_ = 0;
};

}  // namespace heddle::rt
