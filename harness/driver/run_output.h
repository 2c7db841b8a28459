// A recorded run in words, as lines of JSON, for `heddle show`: HEDDLE_OPTIONS run_path. A trace has no names, values and source lines:
// they are known only in the process of the run.
#pragma once

#include "schema/event.h"

namespace heddle::driver {

// Reports then leave the run there, with what explains the finding.
void install_run_output();
// The run has ended, or the process does. Nothing to do after a report.
void save_run(const RunSummary& run);

}  // namespace heddle::driver
