// How long threads may only spin until a run ends as a livelock. The verdict is by patience: nothing proves that a loop never ends.
#pragma once

#include <cstdint>

namespace heddle::rt {

// Choices count that were among spinners and sleepers alone, while no thread learned anything new.
struct SpinVerdict {
  uint32_t choices_at_bound;  // so many when the run comes to the step bound. Before that it may be a long loop that only takes locks and reads
  uint32_t choices;           // or so many
  uint64_t looks;             // or so many windows of Thread::kPlainWindow accesses that all read the same few plain locations, one after the other
};

// Some programs look a million times before they block. What threads only read again is not recorded then, and takes them no nearer to the step bound
// (kRecordedLooks in engine.cc). The plain reads are a quarter of a billion accesses: a computation of that length writes, or reads more locations.
inline constexpr SpinVerdict kPatientVerdict = {500'000, 1 << 22, 1 << 16};
// For executions of an input that is known to end so: the command makes hundreds of them. The choices are more than a held operation
// waits (ladder.cc), so a thread that waits for it does not count.
inline constexpr SpinVerdict kQuickVerdict = {30'000, 30'000, 1 << 9};

// The patient one until this is called.
void set_spin_verdict(const SpinVerdict& verdict);
// In the threads' present state, the run ends as a livelock. `at_bound`: it has come to the step bound.
bool is_livelock(uint32_t stale_choices, uint64_t vain_looks, bool at_bound);

}  // namespace heddle::rt
