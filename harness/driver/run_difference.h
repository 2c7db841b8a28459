// The place at which two executions in one process go apart, for somebody who asks why his program needs a process for each of them.
#pragma once

#include <cstddef>

#include "analyses/report/report_text.h"
#include "schema/event.h"

namespace heddle::driver {

// Index of the first operation that is another one, or has another value; kNoDifference. Addresses as values do not count.
size_t differs_at(const RunSummary& first, const RunSummary& next);

// Appends "operation 213 is a write of main.1 at signaler.cpp:145 (before: a read of main at select.cpp:80)". `first` may be an earlier run,
// copied; both are of this process.
void put_difference(rt::Text& out, const RunSummary& first, const RunSummary& next, size_t at);

}  // namespace heddle::driver
