// A block freed twice or accessed after it was, and what is freed though it is no block, in a target built without ASan (which sees them itself).
#pragma once

#include "analyses/report/story.h"
#include "heap/bad_free.h"

namespace heddle::rt {

void report_bad_free(const BadFreeReport& bad);

// The stack of who gave memory back, or came to it afterwards. `does`: what the title says of that thread.
void add_stack_of(Story& story, const RunSummary& run, const Freed& by, bool signs, const char* does);

}  // namespace heddle::rt
