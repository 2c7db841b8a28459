// Memory in words, for reports about accesses that are no operations on an object.
#pragma once

#include <cstdint>
#include <string_view>

#include "analyses/report/report_text.h"
#include "analyses/report/story.h"
#include "heap/heap_record.h"
#include "races/access_notes.h"
#include "schema/event.h"

namespace heddle::rt {

// As in a row: "hits+4", "block+8", the name of the object that begins there, or "a variable".
void put_memory_name(Text& out, const RunSummary& run, uintptr_t address);

// For a line below the rows: the name that a row has given it (memory_name), else as above, and "a variable on the stack of main".
void put_memory_name(Text& out, const RunSummary& run, const Story& story, uintptr_t address);

// As in a sentence: "hits+4, a global variable", "byte 8 of a heap block that main allocated", "the stack of main.1".
void put_memory_location(Text& out, const RunSummary& run, uintptr_t address, const BlockNote* block);

// The same as one word, for memory that rows are about: what has no name of its own gets a number, and a line in the list of objects. Empty: there
// are too many.
std::string_view memory_name(Story& story, const RunSummary& run, uintptr_t address);
// "the stack of main.1", "the heap".
void put_memory_owner(Text& out, const RunSummary& run, uintptr_t address);

// The event by which a thread accessed memory at this address, if the input made the access visible: the last of so many. kNoEvent: the access
// was no event.
uint32_t visible_access(const RunSummary& run, uint32_t thread, uint32_t events, uintptr_t address);

// A row for the free of the story's block (name_block_of). `site`: where.
void add_row_of_free(Story& story, const RunSummary& run, const Freed& by, uint32_t site);

// From now on the story's block has its name. `size`: 0 if it is not known.
void name_block_of(Story& story, uintptr_t begin, size_t size);

}  // namespace heddle::rt
