// Where a row of the interleaving is, if the program has its locks and atomics in functions of its own. All operations of such a wrapper have one
// line, which says nothing. So they get the line of the wrapper's caller.
//
// A wrapper is a function with all its shown operations at one line, which is called from several. For accesses to memory, whose own line matters
// more, it is one in another file. This depends on the run, so it is for the table only; signatures and SUMMARY do without.
#pragma once

#include "analyses/report/positions.h"
#include "analyses/report/rows.h"

namespace heddle::rt {

// Looks at rows(), which must not change after it.
void find_wrappers();
// REQUIRES: `row` is one of rows().
const Frame& frame_of_row(const Row& row);
// Wrappers were found: their callers' lines are shown.
bool any_wrapper();

}  // namespace heddle::rt
