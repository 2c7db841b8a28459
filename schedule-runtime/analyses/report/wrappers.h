// Where an operation is, if the program has its locks and atomics in functions of its own. All operations of such a wrapper have one line, which
// says nothing. So they get the line of the wrapper's caller.
//
// A wrapper is a function with all its operations at one line, which is called from several. For accesses to memory, whose own line matters more,
// it is one in another file. This depends on which operations are looked at, so it is for tables, pages and explanations only; signatures and
// SUMMARY do without.
#pragma once

#include "analyses/report/positions.h"
#include "schema/event.h"

namespace heddle::rt {

// begin_wrappers(), then add_operation() or leave_out_operation() for each one, then find_wrappers().
void begin_wrappers();
void add_operation(uint32_t position, uint32_t context, bool memory);
void leave_out_operation();
void find_wrappers();

// Of the n-th operation, which was not left out. REQUIRES: find_wrappers()
const Frame& frame_of_operation(uint32_t n);
// Who calls the function of that frame; null: not the user's code.
const Frame* caller_of_operation(uint32_t n);
// Of any other operation, by the wrappers that were found last.
const Frame& frame_outside_wrappers(uint32_t position, uint32_t context);
// Wrappers were found: their callers' lines are shown.
bool any_wrapper();

// The operation accesses an atomic, or plain memory.
bool accesses_memory(Kind kind);

}  // namespace heddle::rt
