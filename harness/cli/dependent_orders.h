// The orders that make a run what it is: if all of them hold, each operation finds the same as in
// that run.
#pragma once

#include <vector>

#include "harness/cli/explicit_schedule.h"

namespace heddle::cli {

// Operations of two threads on one object, of which one changes it: in the run, the first one came
// first. Orders that follow from the others, from a thread's own order, or from the creation and
// the end of threads are left out. In the order of the run. Empty: the run is too long.
std::vector<Order> dependent_orders(const StoredTrace& run);

}  // namespace heddle::cli
