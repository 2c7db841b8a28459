// A double free, a use after free, or a free of a pointer that is no block, in a target without ASan (which finds these itself).
#pragma once

#include "analyses/report/story.h"
#include "heap/bad_free.h"

namespace heddle::rt {

void report_bad_free(const BadFreeReport& bad);

// The stack of the thread that freed the memory, or accessed it afterwards. `does` is the verb for the title.
void add_stack_of(Story& story, const RunSummary& run, const Freed& by, bool signs, const char* does);

}  // namespace heddle::rt
