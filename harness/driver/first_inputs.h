// The inputs that libFuzzer runs before its first mutation: the empty input, the corpus, and "\n" if there is no corpus.
//
// Inputs that are no schedules run as the default schedule. They cannot hold what HEDDLE_OPTIONS tells the mutators to write (spurious=0,
// timeouts=patient, report_endless=0, memory=rc11), and an option must not change what an input does. So in a campaign with such options
// these inputs are not run. The mutator converts them to schedules with what the options say, and returns those as its first results.
//
// With -fork, each job would run the default schedule again. If it fails, no job would reach its first mutation. So only the first job runs it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "schema/options_text.h"

namespace heddle::driver {

// libFuzzer's command line, and what the mutators write into every schedule.
void note_campaign(int argc, char** argv, const WantedRun& wanted);

// True: this input is not run.
bool stands_aside(const uint8_t* data, size_t size);

// The next input that was not run, as a schedule; returns its size. 0: none is left. From now on all inputs are run.
size_t next_first_input(uint8_t* data, size_t max_size);

}  // namespace heddle::driver
