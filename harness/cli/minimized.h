// One input minimized and tried in a process of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "harness/cli/minimizer.h"

namespace heddle::cli {

struct MinimizeLimits {
  uint64_t executions = 2000;
  unsigned seconds = 20;
  unsigned timeout = 60;
  double share_of_search = 0.8;  // of the time until the deadline (harness/cli/deadline.h); the rest is for reports
  std::string known = {};  // file of signatures with which executions go on
};

struct Minimized {
  std::vector<uint8_t> input;
  Size before, after;
  std::string summary;  // the line of its report
  std::string report;   // the whole output of the target
  Execution run;           // of the input
  double longest = 0, mean = 0;  // seconds of an execution
  uint64_t executions = 0;
  double seconds = 0;  // of real time
  double of_report = 0;  // of these: its report in a process of its own
  double spent = 0;    // of the search, as SearchClock counts
  bool complete = true;
  std::vector<std::string> not_tried;  // as Minimizer says
  bool late = false;                   // that is because of --seconds
  bool shown_alone = true;             // false: there was no time for its report in a process of its own
  bool judged_quickly = false;  // see Minimizer::judges_quickly; `run` is such a run
};

// " not tried for want of time (more: --seconds 40): ..." Empty: all was tried.
std::string not_tried_text(const std::vector<std::string>& what, unsigned seconds);

// Throws Failure if the input has no finding, or its runs differ. `name` is that of its file, for messages.
Minimized minimize(const std::string& target, const std::string& name, const std::vector<uint8_t>& input, const MinimizeLimits& limits,
                   const std::function<void(const Minimizer&)>& progress);

}  // namespace heddle::cli
