// The statistics of a process (HEDDLE_OPTIONS=stats=1).
#pragma once

#include "schema/event.h"

namespace heddle::driver {

void count_run(const RunSummary& run);

// What a process says that dies of a finding, in addition to the report.
void say_at_death();

// After Ctrl-C or SIGTERM: says what a search says at its end, and ends the process.
void end_search_if_requested();

// Prints the statistics so far on stderr.
void print_statistics();

}  // namespace heddle::driver
