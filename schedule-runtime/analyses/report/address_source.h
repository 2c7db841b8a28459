// Where a thread has the address from at which it uses memory that is gone: what it had read there, and who has changed it since. So the report names
// the read after which the memory should not have ended.
#pragma once

#include "analyses/report/story.h"
#include "schema/event.h"

namespace heddle::rt {

struct GoneMemory {
  uintptr_t begin, end;
  uint32_t events;  // of the run, before it was gone; kNoEvent: not known
  const char* end_of_it;  // "the free"
};

// Adds sentences to story.what, and rows. Nothing if the thread has read no such address in shared memory, as far as is known.
void tell_source_of_address(Story& story, const RunSummary& run, const GoneMemory& gone);

}  // namespace heddle::rt
