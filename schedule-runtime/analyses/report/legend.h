// The threads and objects of the table, listed below it.
#pragma once

#include "analyses/report/report_text.h"
#include "analyses/report/story.h"
#include "schema/event.h"

namespace heddle::rt {

// Threads with the same creator, at the same place, share a line. REQUIRES: rows() are those of the table.
void put_legend(Text& out, const RunSummary& run, const Story& story);

}  // namespace heddle::rt
