// The threads in ASan's own report: named as in heddle's, and created where the program creates them.
#pragma once

#include "schema/event.h"

namespace heddle::rt {

// REQUIRES: ASan is about to print its report.
void describe_threads_to_asan(const RunSummary& run);

}  // namespace heddle::rt
