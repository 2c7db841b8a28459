// What an operation does, in the words of a report's rows.
#pragma once

#include <cstdint>
#include <string_view>

#include "analyses/report/report_text.h"
#include "schema/event.h"

namespace heddle::rt {

// "lock M1", "trylock M1: failed", "create main.0", "load x = 3". `index`: of the event, whose values are then shown; kNoEvent: without them.
void put_operation(Text& out, const RunSummary& run, const Event& event, uint32_t index = kNoEvent);
// "lock", "store", "wake up from".
std::string_view verb_of(Kind kind);
// "to lock", "for a signal on", ...: what an unfinished operation waits for, before the object's name.
std::string_view waits_for(Kind kind);

// The end of a heap block.
bool frees(const Event& e);
// A call on a stream that several threads use.
bool on_stream(const Event& e);
// A send, a receive or a select.
bool on_channel(Kind kind);

}  // namespace heddle::rt
