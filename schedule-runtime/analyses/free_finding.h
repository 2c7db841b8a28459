// A block freed twice or accessed after it was, and what is freed though it is no block, in a target built without ASan (which sees them itself).
#pragma once

#include "memory/bad_free.h"

namespace heddle::rt {

void report_bad_free(const BadFreeReport& bad);

}  // namespace heddle::rt
