// What the threads of a run with a finding were about to do.
#pragma once

#include "schema/trace_file.h"

namespace heddle::cli {

// An operation that fails may not be recorded: the finding comes before. So adds what each thread
// of `run`, a run with a finding, would have done next, as `other` tells.
void add_next_operations(StoredTrace& run, const StoredTrace& other);

}  // namespace heddle::cli
