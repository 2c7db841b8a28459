// What was controlled and what was not (HEDDLE_OPTIONS=account=1). Without the option: one line for each thing that is not under control and
// that a user would take to be.
#pragma once

#include "schema/event.h"

namespace heddle::driver {

// Before the first execution: the lines about what is not under control; with account=1 calls are counted from now on.
void begin_account();
void account_run(const RunSummary& run);
// Prints the account, with account=1, and once. In a dying process nothing is allocated: what came since the beginning is left out of it.
void print_account(bool dying);

}  // namespace heddle::driver
