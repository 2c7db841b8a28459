// Writes the recorded run for a mutator in another process (schema/run_channel.h).
#pragma once

#include "schema/event.h"

namespace heddle::driver {

// Maps the channel that the environment names, if any. If that fails, prints one line and uses no channel.
void open_run_channel();
// Is there a mutator in another process? Then the mutator in this process need not learn.
bool has_run_channel();
void publish_run(const RunSummary& run);

}  // namespace heddle::driver
