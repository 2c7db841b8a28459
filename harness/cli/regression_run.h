// Runs a regression test against a build of its target.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/regression.h"
#include "harness/cli/target_server.h"

namespace heddle::cli {

struct RegressionRun {
  std::vector<uint8_t> input;  // the schedule as this build understands it
  size_t places = 0, found = 0;
  Execution execution;
  std::string report;  // the target's output, if there is a finding

  bool applies() const { return places == 0 || found != 0; }
};

std::string server_options(const std::string& options_of_run);

// Makes some executions, so that `reached` knows what this build does with the data bytes of the
// schedule.
void explore(TargetServer& server, const Schedule& like, unsigned milliseconds,
             ReachedPlaces& reached);
// Makes one execution of the input, and learns the places and the callers of its operations.
void learn_callers(const std::string& target, const std::vector<uint8_t>& input,
                   const std::string& options, unsigned timeout, ReachedPlaces& reached,
                   OperationCallers& callers);
// All accesses to ordinary variables in the code: which of those in a line is meant must not depend on the runs that were made.
void add_plain_accesses(const std::string& target, ReachedPlaces& reached);
// Gives names to the positions that have none.
void name_places(const std::string& target, ReachedPlaces& reached);

// `file` is for messages.
RegressionRun run_regression(const std::string& target, const std::string& file,
                             const Regression& regression, unsigned timeout);

}  // namespace heddle::cli
