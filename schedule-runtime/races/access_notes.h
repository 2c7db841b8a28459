// What a report of a race needs about the earlier access in addition to its 64 bits: its size, its calling context, and the point of the
// run. Also, where heap blocks were allocated. Kept only while races are reported.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/reserved_array.h"

namespace heddle::rt {

struct AccessNote {
  static constexpr uint32_t kOfEvent = ~0u;
  uint32_t context;  // context node. kOfEvent: the context of the event `events`
  uint32_t events;   // how many there had been
  uint32_t size;
};

struct BlockNote {
  uintptr_t begin;
  size_t size;
  uint32_t thread, site, context;
};

class AccessNotes {
 public:
  void enable(bool enabled) { enabled_ = enabled; }
  bool enabled() const { return __builtin_expect(enabled_, 0); }
  void begin();
  // `access`: the value in the shadow. This is called for each access that the race detector does not know yet, so it only appends.
  void note(uint64_t access, uintptr_t address, const AccessNote& note) {
    if (!notes_.full()) notes_.push() = {access, address >> 3, note};  // otherwise the report says less
  }
  // The newest such access there; else, for the later bytes of a large access, the newest such access. Null: not known. The cost is that of a
  // look at each note: a report is rare.
  const AccessNote* find(uint64_t access, uintptr_t address) const;
  void note_block(const BlockNote& block);
  // The newest block that contains the address; null.
  const BlockNote* block_of(uintptr_t address) const;

 private:
  static constexpr size_t kMost = 1 << 20;

  struct Noted {
    uint64_t access;
    uintptr_t granule;
    AccessNote note;
  };

  bool enabled_ = false;
  ReservedArray<Noted> notes_;
  ReservedArray<BlockNote> blocks_;
};

extern constinit AccessNotes g_access_notes;
inline AccessNotes& access_notes() { return g_access_notes; }

}  // namespace heddle::rt
