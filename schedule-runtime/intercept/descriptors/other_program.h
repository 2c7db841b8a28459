// For calls that start a program that heddle does not control, and wait for its end.
#pragma once

#include <cstdio>

#include "base/in_execution.h"
#include "engine/program_exit.h"
#include "engine/time_stamp.h"
#include "fiber/thread_pointer_trap.h"
#include "intercept/refuse.h"
#include "primitives/descriptor_table.h"

namespace heddle::rt {

inline void refuse_in_harness(const char* name, Place place) {
  if (current_thread() == nullptr || in_program()) return;
  refuse(name, place, "all controlled threads share one kernel thread. Do it outside the executions, in LLVMFuzzerInitialize");
}

// The environment with one variable more (base/in_execution.h).
class EnvironmentInExecution {
 public:
  explicit EnvironmentInExecution(char* const* own) : words_(own) {
    size_t count = 0;
    while (own != nullptr && own[count] != nullptr) ++count;
    if (count + 2 > kRoom) return;
    for (size_t i = 0; i < count; ++i) all_[i] = own[i];
    snprintf(variable_, sizeof variable_, "%s=1", kInExecution);
    all_[count] = variable_;
    all_[count + 1] = nullptr;
    words_ = all_;
  }
  EnvironmentInExecution(const EnvironmentInExecution&) = delete;
  EnvironmentInExecution& operator=(const EnvironmentInExecution&) = delete;
  char* const* words() const { return words_; }

 private:
  static constexpr size_t kRoom = 1024;  // larger environments stay as they are

  char* const* words_;
  char variable_[sizeof kInExecution + 2];
  char* all_[kRoom];
};

// The other program would inherit both traps, and descriptors that never block.
class OtherProgramRuns {
 public:
  OtherProgramRuns() : in_execution_(in_program()) {
    fiber::thread_pointer_trap().set(false);
    if (!in_execution_) return;
    time_stamp().trap(false);
    primitives::descriptors_block(true);
  }
  ~OtherProgramRuns() {
    if (!in_execution_) return;
    primitives::descriptors_block(false);
    time_stamp().trap(true);
  }
  OtherProgramRuns(const OtherProgramRuns&) = delete;
  OtherProgramRuns& operator=(const OtherProgramRuns&) = delete;

 private:
  const bool in_execution_;
};

}  // namespace heddle::rt
