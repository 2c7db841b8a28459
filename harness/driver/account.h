// The account of what heddle controlled and what not (HEDDLE_OPTIONS=account=1). Without the option: one line for each thing that a user would
// expect to be controlled and that is not.
#pragma once

#include "schema/event.h"

namespace heddle::driver {

// Call it before the first execution. Prints the lines about what is not controlled. With account=1, calls are counted from now on.
void begin_account();
void account_run(const RunSummary& run);
// With account=1, prints the account, once. In a dying process nothing is allocated: gaps that came since the start are left out.
void print_account(bool dying);

}  // namespace heddle::driver
