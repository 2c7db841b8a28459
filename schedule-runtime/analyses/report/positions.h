// Code positions as text: function, file, line, by the symbolizer; without it function and offset.
#pragma once

#include <cstdint>

#include "analyses/report/report_text.h"

namespace heddle::rt {

struct Frame {
  const char* function;  // never null
  const char* file;      // null: not known
  uint32_t line;
  uint32_t column;
};

// The frames of one position: inlined calls, innermost first. At least one.
struct Position {
  const Frame* frames;
  uint32_t count;
};
Position position_of(uint32_t site);

// The site itself where it is the user's, else the nearest call above it that is.
uint32_t user_site(uint32_t site, uint32_t context);
// Heddle's own code, where nothing of the user's led to it: not worth a place in a report.
bool own_site(uint32_t site);

// In the program itself, inlined calls included, and not only in the standard library or the runtime.
bool has_users_code(uint32_t site);

// The innermost frame that is the user's: not in the standard library. The outermost one if none is.
const Frame& user_frame(uint32_t site);

// "queue.cc:41", or "push+0x1c".
void put_place(Text& out, uint32_t site);
// The same with ":column in function".
void put_place_in_function(Text& out, uint32_t site);

// ASan-style frames of a position and the calls above it, the user's ones only, numbered from 0.
void put_stack(Text& out, uint32_t site, uint32_t context);

// What the symbolizer calls the datum at an address; null: nothing known. Lives as long as the process.
const char* datum_name(uintptr_t address, uintptr_t& offset_within);

// For the tests of renderers: positions by hand instead of the symbolizer's.
using PositionSource = Position (*)(uint32_t site);
void set_position_source(PositionSource source);

}  // namespace heddle::rt
