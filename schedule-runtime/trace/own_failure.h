// The target fails by itself: abort, assert, std::terminate, a report of ASan's. The shims that notice it tell whoever renders findings, and then
// everything goes on as it would have, so that the fuzzing engine saves the input. Calls do nothing outside of executions.
#pragma once

#include <cstdint>

namespace heddle::rt {

// `pc` is the shim's return address.
struct OwnFailureSink {
  void (*aborted)(uintptr_t pc);
  void (*assertion_failed)(uintptr_t pc, const char* expression, const char* file, unsigned line);
  void (*asan_reports)(uintptr_t pc);
};

void set_own_failure_sink(const OwnFailureSink& sink);
const OwnFailureSink& own_failure_sink();

}  // namespace heddle::rt
