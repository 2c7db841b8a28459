// A bug of the C++ library that looks like one of the program.
#pragma once

#include "analyses/report/report_text.h"
#include "schema/event.h"

namespace heddle::rt {

// Is this operation on a futex or an atomic a part of the C++ library's semaphore?
bool in_semaphore(const RunSummary& run, uint32_t event);

// If a thread is blocked inside std::counting_semaphore: that this may be the library's fault. Else nothing.
void put_semaphore_note(Text& out, const RunSummary& run);

}  // namespace heddle::rt
