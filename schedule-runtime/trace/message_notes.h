// What reports say of messages in a queue: their priority, which decides the order in which they are received.
#pragma once

#include <cstdint>

#include "trace/event_notes.h"

namespace heddle::rt {

struct MessageNote {
  uint32_t event;
  uint32_t priority;
};

using MessageNotes = EventNotes<MessageNote>;
extern constinit MessageNotes g_message_notes;
inline MessageNotes& message_notes() { return g_message_notes; }

}  // namespace heddle::rt
