// Schedules as one would write them by hand: the run of `nonpreemptive`, but at some places another
// thread goes (iterative context bounding, Musuvathi and Qadeer, 2007).
#pragma once

#include <cstddef>
#include <vector>

#include "schema/schedule.h"
#include "schema/trace_file.h"

namespace heddle::cli {

// `next` goes, and each other thread waits with what it would have done.
struct Deviation {
  Element next;
  std::vector<Element> others;
};

struct DeviatingRun {
  std::vector<Deviation> deviations;
  size_t from = 0;  // the run may deviate from here on
  unsigned preemptions = 0;
};

// With the parameters of `like`, the outcomes of its choices, and its seed if each of its lines is a
// deviation.
Schedule schedule_of(const DeviatingRun& node, const Schedule& like);

// The run of its schedule deviates as it says.
bool obeyed(const DeviatingRun& node, const StoredTrace& run);

// With one deviation more, for each place of its run. Those at the end of the run come first. At most
// this number.
std::vector<DeviatingRun> deviating_further(const DeviatingRun& node, const StoredTrace& run,
                                            size_t most = static_cast<size_t>(-1));

}  // namespace heddle::cli
