// Runs a fuzz target in its own process.
#pragma once

#include <cstdint>
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

// Throws Failure if the target cannot be started, and OutOfTime at the deadline (harness/cli/deadline.h).
TargetResult run_target(const TargetRun& run);

// An input with the run of an empty file. AFL++'s driver does not run empty files.
std::vector<uint8_t> stand_in_for_empty();

// For a command that reads the target's report itself: whatever the user has set, there is one, and a whole one.
// `known`: a file of signatures of findings that have none. Empty: each finding has one.
std::string options_of_readers(const std::string& known = {});
// The user's HEDDLE_OPTIONS, and ours.
std::string joined_options(const std::string& ours);
// A name without a slash is a file in the current directory. (A shell would search the path.)
std::string runnable_path(const std::string& binary);

// The "SUMMARY:" line of the last report in the output, or empty. libFuzzer's own line only if there is no other.
std::string summary_line(const std::string& output);
std::string last_line(std::string output);
// Throws Failure(kUsage) with the target's words if they are about a wrong HEDDLE_OPTIONS.
void refuse_wrong_options(const std::string& output);

}  // namespace heddle::cli
