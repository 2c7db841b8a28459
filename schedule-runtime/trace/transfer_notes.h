// What reports say of reads and writes on descriptors: how many bytes they moved, or what they read from a counter or added to it.
#pragma once

#include <cstdint>

#include "trace/event_notes.h"

namespace heddle::rt {

struct TransferNote {
  uint32_t event;
  bool counter;     // of an eventfd or a timerfd
  uint64_t amount;  // of bytes, or the number

  bool equals(const TransferNote& other) const { return counter == other.counter && amount == other.amount; }
};

using TransferNotes = EventNotes<TransferNote>;
extern constinit TransferNotes g_transfer_notes;
inline TransferNotes& transfer_notes() { return g_transfer_notes; }

}  // namespace heddle::rt
