// Windows keep a thread from starving the others. A thread that always does something new (if only by counting how often it has polled) would
// otherwise run without end. So a long run is cut into windows. At the end of a window some time passes, and operations that the schedule has
// held back for very long may go. At the beginning of the next window, all threads are equally likely for a while. The seed determines the
// length of the windows: short ones end starvation soon, long ones keep the priorities of the strategy longer. The lengths differ a little.
// Otherwise all windows could end at the same place of a loop. The first window belongs to the strategy alone. (Coyote's fair PCT gives up its
// priorities once, after a fixed number of steps.)
//
// If no thread reaches a place that is new to it, all threads run in loops, and one may wait in a loop for a thread that gets no turn. Then a window
// ends earlier: mostly after a few dozen operations, seldom after many, because the bug may need a loop of many rounds.
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
    even_until_ = ended_ = place_ = 0;
    place_time_ = 0;
    last_ = length_;
    end_ = std::min(loops_, last_);
  }
  // A thread is about to do something for the first time at this place.
  void new_place(uint32_t steps, uint64_t now) {
    place_ = steps;
    place_time_ = now;
    end_ = std::min(steps + loops_, last_);
  }
  // When that was, in steps and in virtual time.
  uint32_t last_place() const { return place_; }
  uint64_t time_of_place() const { return place_time_; }
  // Whether the window has its full length. False: it ends early, because all threads are in loops.
  bool whole(uint32_t steps) const { return steps >= last_; }
  // How much time may pass at its end, in ns. It grows with the number of windows: a time limit of a minute should last for more than some
  // hundred operations.
  uint64_t time() const { return kFirstTime << std::min(3 * ended_, 36u); }
  // The window ends early after this many steps in which no thread reached a new place.
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
  // In steps; an operation has two.
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
  uint32_t place_ = 0;
  uint64_t place_time_ = 0;
};

}  // namespace heddle::rt
