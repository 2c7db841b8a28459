// The program's initialisation: its constructors, those of its libraries, and LLVMFuzzerInitialize. What they read of clocks and random sources
// becomes part of the state that executions begin with, so it is the same in each process (docs/design/runtime-laws.md#what-an-execution-depends-on).
//
// Time is virtual there, and executions go on from it. So a program that keeps the time of its start sees little time pass until main().
// This ends for good with the first thread that the program starts itself: it is not controlled, and may wait by real clocks.
#pragma once

#include <cstdint>

#include "engine/engine.h"

namespace heddle::rt {

class Initialisation {
 public:
  constexpr explicit Initialisation(uint64_t time) : time_(time) {}

  bool active() const { return active_; }
  void begin() { active_ = !over_; }
  void end() { active_ = false; }
  void end_for_good() {
    active_ = false;
    over_ = true;
  }

  // REQUIRES: initialises(). In ns. Each read makes time pass, and more after many reads. So a loop that waits for the clock
  // ends. If its rounds take long (in poll, for a server to start), time also follows the kernel's clock, ten seconds behind.
  uint64_t read_time();
  void pass(uint64_t ns) { time_ += ns; }
  // REQUIRES: initialises(). The next of a fixed sequence.
  uint64_t random();

  // When executions begin.
  uint64_t time() const { return time_; }

 private:
  bool active_ = false;
  bool over_ = false;
  uint32_t reads_ = 0;
  uint64_t begun_ = 0;  // at the first read, by the kernel's clock
  uint64_t time_;
  uint64_t draws_ = 0;
};

extern constinit Initialisation g_initialisation;
inline Initialisation& initialisation() { return g_initialisation; }

// The calling code is the program's initialisation. (LLVMFuzzerInitialize may make executions, too.)
inline bool initialises() { return initialisation().active() && current_thread() == nullptr; }
// It is neither that nor on a controlled thread.
inline bool is_foreign() { return current_thread() == nullptr && !initialisation().active(); }

}  // namespace heddle::rt
