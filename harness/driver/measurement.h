// Do executions that share a process start from the same state?
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::driver {

struct Measurement {
  bool sound = false;
  bool complete = false;     // false: the default schedule had a finding, or took too long
  bool found = false;        // it ended in a finding
  bool forks = false;        // the program starts processes
  int executions = 0;        // that came to their end
  int exit_code = 0;         // of the default schedule
  char why[400] = {};        // not sound: "because ..."
};

// Runs the default schedule a few times in this process and compares the runs. The process must end afterwards.
void measure(Measurement& out);

}  // namespace heddle::driver
