// Time limits that expired although other threads could have gone on, as on a very busy machine. A finding often comes of one.
#pragma once

#include "analyses/report/report_text.h"
#include "schema/event.h"

namespace heddle::rt {

// A line, if there are any.
void put_early_time_outs(Text& out, const RunSummary& run);

}  // namespace heddle::rt
