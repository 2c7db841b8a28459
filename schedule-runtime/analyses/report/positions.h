// Code positions as text: function, file and line from the symbolizer, or else function and offset.
#pragma once

#include <cstdint>

#include "analyses/report/report_text.h"

namespace heddle::rt {

struct Frame {
  const char* function;  // never null
  const char* file;      // null: not known
  uint32_t line;
  uint32_t column;
  bool wraps = false;  // the function is one line, such as a method that calls another one
};

// The frames of one position: inlined calls, innermost first. At least one.
struct Position {
  const Frame* frames;
  uint32_t count;
};
Position position_of(uint32_t site);

// The site itself if it is in the user's code, by its debug information. Otherwise the nearest call above it that is.
uint32_t user_site(uint32_t site, uint32_t context);
// True for heddle's own code without a call from the user's code. Reports leave it out.
bool own_site(uint32_t site);

// True if the position, including inlined calls, is in the program itself and not only in the standard library or the runtime.
bool has_users_code(uint32_t site);
// The same as far as the names of functions say it, without debug information. A signature must not depend on that.
bool has_users_name(uint32_t site);

// True if no frame at the position is the user's, but one of the standard library is: what is there happens for the user's code, but without a line of it.
bool in_library(uint32_t site);

// True for an operation of std::barrier, std::future and the like inside themselves; not for one of a std::atomic of the user's.
bool in_library_primitive(uint32_t site);

// True for a change of std::shared_ptr's counts: the standard library does it for a copy or a destruction in the user's code.
bool counts_references(uint32_t site, uint32_t context);

// The innermost frame in the user's code (not in the standard library). If there is none, the outermost frame.
const Frame& user_frame(uint32_t site);

// The user's frames of an operation, innermost first: at most `most`, and of the harness only its own operations. Returns their number.
uint32_t user_frames(uint32_t site, uint32_t context, const Frame** out, uint32_t most);

// True if both are in one line, which is known.
bool on_one_line(const Frame& a, const Frame& b);

// "queue.cc:41", or "push+0x1c".
void put_place(Text& out, uint32_t site);
void put_place(Text& out, const Frame& frame);
// The same with ":column in function".
void put_place_in_function(Text& out, uint32_t site);
// The same for an operation: in the caller, if the function is a wrapper of one line.
void put_place_of_operation(Text& out, uint32_t site, uint32_t context);

// ASan-style frames of a position and the calls above it, numbered from 0. Only those in the user's code.
void put_stack(Text& out, uint32_t site, uint32_t context);

// The symbolizer's name of the variable at an address; null: not known. Valid as long as the process.
const char* datum_name(uintptr_t address, uintptr_t& offset_within);

// For tests of renderers: positions that the test provides, instead of the symbolizer's. Their frames must stay as they are while a report is made.
using PositionSource = Position (*)(uint32_t site);
void set_position_source(PositionSource source);

}  // namespace heddle::rt
