// A run in which threads spin: each round of a loop is like the one before, and the first ones say all.
#pragma once

#include "schema/trace_file.h"

namespace heddle::cli {

// A later round than this one says nothing more.
inline constexpr uint32_t kRoundsThatTell = 4;

// Leaves out what a thread has done the same way often enough. What threads were about to do stays.
StoredTrace without_later_rounds(StoredTrace run);

}  // namespace heddle::cli
