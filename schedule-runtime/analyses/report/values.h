// What the operations of a report have read and stored, and who had written what they read.
#pragma once

#include <cstdint>

#include "analyses/report/report_text.h"
#include "schema/event.h"

namespace heddle::rt {

// "3", "-1", "0x7f0012345678", "&queue": the type is not known.
void put_value(Text& out, uint64_t value, uint32_t size);

// Fills in what the last plain writes to their objects have stored: memory still has it.
void complete_values(const RunSummary& run);

// After the object's name: " = 3", ": 0 -> 1", ": 0 -> 1 failed, was 2", ": 8 bytes". False: no values are known, and nothing was added.
bool put_values(Text& out, const RunSummary& run, uint32_t event);

// Who has written what this event reads.
struct Writer {
  enum Known : uint8_t {
    nobody,     // the event reads nothing, or it is not known
    initial,    // no one in this run
    event,      // the thread, at this position
    at_least,   // the thread, at this position or at a later one
  } known = nobody;
  uint32_t thread = 0, site = 0, context = 0;
};
Writer writer_of(const RunSummary& run, uint32_t event);

// Both events read and store the same, as far as is known.
bool equal_values(const RunSummary& run, uint32_t a, uint32_t b);

// The count of a wait group before this addition (an event); 0 for the first one.
uint32_t count_before(const RunSummary& run, uint32_t add);

}  // namespace heddle::rt
