// The statistics of a process (HEDDLE_OPTIONS=stats=1).
#pragma once

#include "schema/event.h"

namespace heddle::driver {

void count_run(const RunSummary& run);

// Prints the statistics so far on stderr.
void print_statistics();

}  // namespace heddle::driver
