// The account of what heddle controlled and what it did not (HEDDLE_OPTIONS=account=1). Without the option: one line for each thing that is
// not controlled although a user would expect it.
#pragma once

#include "schema/event.h"

namespace heddle::driver {

// Call it before the first execution. Prints lines about what is not controlled. With account=1, calls are counted from now on.
void begin_account();
void account_run(const RunSummary& run);
// With account=1, prints the account, once. In a dying process it allocates nothing, so gaps that appeared since the start are left out.
void print_account(bool dying);

}  // namespace heddle::driver
