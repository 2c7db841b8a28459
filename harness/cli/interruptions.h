// When signal handlers ran: what the thread that a handler interrupted had done before, and what it did after.
#pragma once

#include <vector>

#include "harness/cli/explicit_schedule.h"

namespace heddle::cli {

// For each run of a handler whose signal another thread sent: the interrupted thread's operation before it comes before the sending, and the sending
// before the operation at which it ran. Together they say where it ran.
std::vector<Order> orders_of_interruptions(const StoredTrace& run);

}  // namespace heddle::cli
