// How long threads may only spin until a run ends as a livelock. The verdict is by patience: nothing proves that a loop never ends.
#pragma once

#include <cstdint>

namespace heddle::rt {

struct SpinVerdict {
  uint32_t choices;   // among spinners and sleepers alone, in which no thread learned anything new
  bool at_step_bound; // only there: until then it may be a long loop that only takes locks and reads
  uint64_t looks;     // windows of Thread::kPlainWindow accesses that all read the same few plain locations, one after the other
};

// A quarter of a billion accesses. A computation of that length writes, or reads more locations.
inline constexpr SpinVerdict kPatientVerdict = {500'000, true, 1 << 16};
// For executions of an input that is known to end so: the command makes hundreds of them. The choices are more than a held operation
// waits (ladder.cc), so a thread that waits for it does not count.
inline constexpr SpinVerdict kQuickVerdict = {30'000, false, 1 << 9};

// The patient one until this is called.
void set_spin_verdict(const SpinVerdict& verdict);
// In the threads' present state, the run ends as a livelock. `last`: it has come to the step bound.
bool is_livelock(uint32_t stale_choices, uint64_t vain_looks, bool last);

}  // namespace heddle::rt
