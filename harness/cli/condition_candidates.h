// Conditions that hold in a run with a finding, and can be what decides it.
#pragma once

#include <vector>

#include "harness/cli/run_condition.h"

namespace heddle::cli {

// Those that say most about the program come first: orders of operations on one object; outcomes
// that are not the usual ones; what `schedule`, whose run it is, demands; then the rest.
// `passing` are runs without the finding: an operation that the finding prevented is only there.
std::vector<Condition> candidates_of(const StoredTrace& run, const Schedule& schedule,
                                     const std::vector<StoredTrace>& passing);

}  // namespace heddle::cli
