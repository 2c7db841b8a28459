// A run in which threads spin or poll: each round of a loop is like the one before, and the first
// ones say all.
#pragma once

#include "schema/trace_file.h"

namespace heddle::cli {

// A later round than this one says nothing more.
inline constexpr uint32_t kRoundsThatTell = 4;

// Leaves out what a thread has done the same way often enough. What threads were about to do stays.
StoredTrace without_later_rounds(StoredTrace run, uint32_t rounds = kRoundsThatTell);

// The run as it is compared with others: without late rounds if threads only spin, or if it is so
// long that loops must be why, such as one that polls for ever beside threads that wait in vain.
StoredTrace for_comparison(StoredTrace run, bool only_spins);

}  // namespace heddle::cli
