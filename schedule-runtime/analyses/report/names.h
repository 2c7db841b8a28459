// The names of threads and objects in a report. They depend only on the records of the run, so the report of a schedule always
// has the same text. Only the name of a global variable comes from its address.
#pragma once

#include <cstdint>
#include <string_view>

#include "analyses/report/report_text.h"
#include "schema/event.h"

namespace heddle::rt {

// Call it before you ask for names of another run.
void forget_names();

// Objects in this memory are called "block", "block+8" and so on, until another block gets the name. Size 0: none.
void name_block(uintptr_t begin, size_t size);
inline constexpr size_t kBlockNameSize = 32;
// False: the address is not in the named block.
bool put_block_name(uintptr_t address, char (&out)[kBlockNameSize]);

// "main.0.1": the lineage, as in schedules.
void put_thread(Text& out, const RunSummary& run, uint32_t thread);
// The same, followed by words, for a stack (Story::add_stack). Valid until the next call.
const char* thread_title(const RunSummary& run, uint32_t thread, const char* words);

// "queue.cc:20": the user's position of an event.
void put_event_place(Text& out, const RunSummary& run, uint32_t event);

// "queue.mutex_" (a global), "M1" (any other mutex), "main.0" (a thread).
const char* object_name(const RunSummary& run, uint32_t object);
// How many objects have names that begin with this letter and a number.
uint32_t objects_with(const RunSummary& run, char letter);
// "mutex", "condition variable", "atomic", ...
std::string_view object_noun(const RunSummary& run, uint32_t object);
// "mutex on the stack of main, first used at queue.cc:41".
void put_object_origin(Text& out, const RunSummary& run, uint32_t object);

// The thread that a thread's object represents; kNoEvent: none.
uint32_t thread_behind(const RunSummary& run, uint32_t object);

}  // namespace heddle::rt
