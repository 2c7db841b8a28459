// The target fails by itself: abort, assert, std::terminate, a report of ASan. The shims that notice it call the analyses, which print the
// report. Then the failure goes on as usual, so that the fuzzing engine saves the input. Outside of executions these calls do nothing.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::rt {

// `pc` is the shim's return address.
struct OwnFailureSink {
  void (*aborted)(uintptr_t pc);
  void (*assertion_failed)(uintptr_t pc, const char* expression, const char* file, unsigned line);
  void (*asan_reports)(uintptr_t pc);
  void (*large_allocation)(uintptr_t pc, size_t size, size_t limit_mb);  // pc may be 0
  void (*exits)(uintptr_t pc, int status, const char* how);  // in a harness
  void (*throws)(uintptr_t pc, const void* exception);  // no failure yet
  void (*makes)(uintptr_t pc, const void* exception);   // to throw it now or later
};

void set_own_failure_sink(const OwnFailureSink& sink);
const OwnFailureSink& own_failure_sink();

}  // namespace heddle::rt
