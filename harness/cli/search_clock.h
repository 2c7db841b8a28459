// What a search has cost: processor time, of the command and of the target's executions. So a machine that is busy with other things does not make
// the search smaller.
#pragma once

#include <chrono>

#include "harness/cli/target_server.h"

namespace heddle::cli {

class SearchClock {
 public:
  // Begins now.
  explicit SearchClock(const TargetServer& target);
  // An execution may also wait, and nobody waits for ever: at least a third of the real time.
  double seconds() const;

 private:
  double processor_seconds() const;

  const TargetServer& target_;
  const double begun_;
  const std::chrono::steady_clock::time_point really_begun_ = std::chrono::steady_clock::now();
};

}  // namespace heddle::cli
