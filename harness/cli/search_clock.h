// What a search has cost, of the seconds that it may take. As long as the machine has time for it,
// that is processor time, of the command and of the target's executions. On a machine that is busy
// with other things, real time is shorter than that.
#pragma once

#include <chrono>

#include "harness/cli/target_server.h"

namespace heddle::cli {

class SearchClock {
 public:
  // Begins now. `seconds`: what the search may take. At the deadline (harness/cli/deadline.h) all
  // of them are over, and so much as has passed of the time until then is over at any moment.
  SearchClock(const TargetServer& target, double seconds);
  // Without a deadline, an execution may wait, and nobody waits for ever: at least a third of the
  // real time.
  double seconds() const;

 private:
  double processor_seconds() const;

  const TargetServer& target_;
  const double begun_;
  const std::chrono::steady_clock::time_point really_begun_ = std::chrono::steady_clock::now();
  const double share_of_real_time_;
};

}  // namespace heddle::cli
