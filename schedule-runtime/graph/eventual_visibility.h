// Fairness. RC11 lets a thread read an old store for ever. Real processors do not: who learns nothing several times in a row reads the newest
// store. So a loop that waits for another thread's store ends, and no livelock is reported because of stale reads.
#pragma once

#include <cstdint>

namespace heddle::rt::graph {

// How many operations in a row may have taught the thread nothing.
inline constexpr uint32_t kPatienceOfReads = 3;

class EventualVisibility {
 public:
  // For tests whose threads do all their operations at one site, so that repetition says nothing.
  void switch_off(bool off) { off_ = off; }
  void begin() { bounded_ = false; }
  // Must the thread read the newest store? `choices`: how many it could read.
  bool hurries(uint32_t stale_operations, uint32_t choices) {
    if (choices == 1 || stale_operations < kPatienceOfReads || off_) return false;
    bounded_ = true;
    return true;
  }
  // It has left out graphs of this run.
  bool bounded() const { return bounded_; }

 private:
  bool off_ = false;
  bool bounded_ = false;
};

}  // namespace heddle::rt::graph
