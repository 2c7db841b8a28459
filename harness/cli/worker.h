// A process of a fuzz target that searches with libFuzzer, and what it prints.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "harness/cli/files.h"
#include "schema/live_figures.h"

namespace heddle::cli {

class Worker {
 public:
  // `figures` is the name of a new file; `log` gets everything that its processes print; they append to `seen` what they have seen
  // and what is no finding (schema/seen_file.h).
  Worker(std::string figures, std::string log, std::string seen);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Throws Failure if the target cannot be started. `options` are the whole HEDDLE_OPTIONS.
  void start(const std::vector<std::string>& words, const std::string& options);
  bool running() const { return process_ >= 0; }
  int descriptor() const { return output_; }
  // There is something to read. `line` gets each whole line. False: the process has ended.
  bool read_output(const std::function<void(const std::string&)>& line);
  // Asks it to end, or ends it.
  void interrupt(int signal) const;

  // Of the process that runs, or has run last.
  const std::string& output() const { return printed_; }  // its end
  int exit_code() const { return exit_code_; }            // 128 + signal if a signal ended it
  double seconds() const;
  uint64_t executions_of_process() const { return figures_->executions; }
  // Of all its processes. Orders and pairs: of the one that has seen most of them.
  LiveFigures total() const;

 private:
  void reap();

  const std::string figures_path_, log_path_, seen_path_;
  LiveFigures* figures_ = nullptr;
  LiveFigures before_ = {};
  pid_t process_ = -1;
  int output_ = -1;
  int log_ = -1;
  int exit_code_ = 0;
  std::string line_, printed_;
  std::chrono::steady_clock::time_point begun_;
};

}  // namespace heddle::cli
