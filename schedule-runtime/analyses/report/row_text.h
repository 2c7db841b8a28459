// What a row of the table says: the operation, where it is, and who has written what it reads.
#pragma once

#include "analyses/report/report_text.h"
#include "analyses/report/rows.h"
#include "schema/event.h"

namespace heddle::rt {

// Without the thread's name. REQUIRES: choose_file_names() was called for the table.
void put_row_text(Text& cell, const RunSummary& run, const Row& row);

}  // namespace heddle::rt
