// Runs a fuzz target in its own process.
#pragma once

#include <string>
#include <vector>

namespace heddle::cli {

struct TargetRun {
  std::string binary;
  std::vector<std::string> arguments;
  std::string heddle_options;   // added after the user's HEDDLE_OPTIONS
  bool randomise_addresses = true;
  unsigned timeout_seconds = 60;
};

struct TargetResult {
  int exit_code = 0;       // 128 + signal if a signal ended it
  bool timed_out = false;
  std::string output;      // both streams
};

// Throws Failure if the target cannot be started.
TargetResult run_target(const TargetRun& run);

// The "SUMMARY:" line of the last report in the output, or empty. libFuzzer's own line only if there is no other.
std::string summary_line(const std::string& output);
std::string last_line(std::string output);

}  // namespace heddle::cli
