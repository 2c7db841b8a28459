// What a blocked thread had read before it went to wait: rows of the report, with a star.
#pragma once

#include "analyses/report/story.h"

namespace heddle::rt {

// Nothing that others did to the object explains the wait: then any of its reads that does.
void add_what_it_read(Story& story, const RunSummary& run, uint32_t wait);

// Of a wait for a condition variable: its latest reads with the mutex held, by the program's own code, and who had written that. So the report shows
// in which state the thread has gone to wait, although it was notified.
void add_condition(Story& story, const RunSummary& run, uint32_t wait);

}  // namespace heddle::rt
