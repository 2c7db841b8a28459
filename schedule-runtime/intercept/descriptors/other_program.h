// For calls that start a program that heddle does not control, and wait for its end.
#pragma once

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
