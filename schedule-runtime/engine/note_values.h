// Fills trace/event_values.h. Only while the race detector watches.
#pragma once

#include <cstdint>

#include "trace/event_values.h"

namespace heddle::rt {

// What the event has done to the memory at this address. `source`: the event that seems to have stored what was there before. If that is not
// certain, the race detector is asked for the plain write.
[[gnu::noinline]] void note_values(uint32_t event, uint32_t source, uintptr_t address, EventValues::Shape shape, uint64_t read, uint64_t stored = 0, uint64_t expected = 0);

// The event gives back a lock that this earlier event has taken: Event::left is what the thread has written meanwhile.
void note_section(uint32_t event, uint32_t taken);

}  // namespace heddle::rt
