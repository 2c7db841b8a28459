// Can what decides about a finding still come about in a repaired build?
#pragma once

#include <string>

#include "harness/cli/explainer.h"
#include "harness/cli/operation_callers.h"
#include "harness/cli/source_place.h"

namespace heddle::cli {

struct RepairedRuns {
  size_t conditions = 0, known = 0;  // of the explanation; those whose operations the build has
  size_t runs = 0;
  size_t demanded = 0;  // executions that demand its conditions: every second one; 0 if they cannot be
  size_t reached = 0;   // executions with all operations that the explanation names
  size_t held = 0;      // executions in which its conditions held
  size_t held_if_demanded = 0;  // of these: they were demanded
  size_t elsewhere = 0; // they held, but of operations on one object, these are on different ones
  size_t findings = 0;  // of any kind
};

// Operations are found by their source lines, as for regression tests. `reached`: those of the
// build that has the finding, with names, and `callers` of the finding's run, which is `finding`.
// `schedule`: for its data bytes and assumptions.
RepairedRuns run_repaired(const std::string& target, const Explanation& explanation,
                          const Schedule& schedule, const StoredTrace& finding,
                          const ReachedPlaces& reached, const OperationCallers& callers,
                          const ExplainLimits& limits);
std::string repaired_text(const std::string& target, const RepairedRuns& runs);

}  // namespace heddle::cli
