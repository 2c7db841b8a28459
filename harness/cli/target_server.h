// Many executions of a target without a start of the process for each (schema/request.h).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <span>
#include <string>

#include "harness/cli/files.h"
#include "schema/request.h"
#include "schema/trace_file.h"

namespace heddle::cli {

// One execution, and what it found.
struct Execution {
  bool found = false;
  bool timed_out = false;
  uint64_t signature = 0;  // 0: there was no report of heddle
  uint32_t kind = 0;       // as in RequestReply
  bool only_spins = false;
  bool has_trace = false;
  StoredTrace trace;
};

// With findings that the user knows, an execution would go on.
inline constexpr char kNothingKnown[] = "known=''";

class TargetServer {
 public:
  // `options` are added to the user's HEDDLE_OPTIONS.
  explicit TargetServer(std::string binary, const std::string& options = kNothingKnown);
  ~TargetServer();
  TargetServer(const TargetServer&) = delete;
  TargetServer& operator=(const TargetServer&) = delete;

  // Throws Failure if the target cannot be started, or is no target that serves requests, and OutOfTime at the
  // deadline (harness/cli/deadline.h).
  Execution run(std::span<const uint8_t> input, unsigned milliseconds);
  // For an input that ends with threads that only spin: its executions take a thirtieth of the time. From the start, if the
  // command has set kQuickVerdictVariable.
  void judge_spinning_quickly(bool quickly) { quick_verdict_ = quickly; }
  uint64_t executions() const { return executions_; }
  // Of all executions, and of the starts of processes for them, as far as the target has told.
  double processor_seconds() const { return 1e-9 * static_cast<double>(ended_ + present_); }

 private:
  void start();
  void stop();
  [[noreturn]] void refuse();
  bool receive(void* out, size_t size, unsigned milliseconds);

  const std::string binary_, options_;
  const ScratchDirectory scratch_;
  int memory_file_ = -1, socket_ = -1;
  uint8_t* memory_ = nullptr;
  pid_t process_ = -1;
  bool quick_verdict_;
  uint64_t executions_ = 0;
  uint64_t ended_ = 0, present_ = 0;  // processor time in nanoseconds, of servers that have ended and of the present one
};

}  // namespace heddle::cli
