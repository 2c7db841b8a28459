// The recorded run for a mutator in another process (schema/run_channel.h).
#pragma once

#include "schema/event.h"

namespace heddle::driver {

// Maps the channel that the environment names, if any. A name that cannot be mapped is one clear line and no channel.
void open_run_channel();
// Is there a mutator in another process? The one of this process then need not learn.
bool has_run_channel();
void publish_run(const RunSummary& run);

}  // namespace heddle::driver
