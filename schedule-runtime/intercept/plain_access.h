// What a plain access of a controlled thread means: it feeds the race detector, and is a visible operation where the input
// says so (DESIGN.md 6).
#pragma once

#include <cstddef>

#include "engine/engine.h"
#include "memory/known_access.h"

namespace heddle::rt {

// To be called before the access happens.
void plain_access(Thread& t, uintptr_t address, size_t size, bool write, const Place& place);

// Counts the access; false if more than that is to be done for it, by counted_plain_access. `size` is a constant.
[[gnu::always_inline]] inline bool passes(Thread& t, uintptr_t address, size_t size, bool write) {
  if (__builtin_expect(--t.plain_left == 0, 0)) return false;
  const PlainPath path = t.plain_path;
  if (path == PlainPath::alone && !write) return true;
  if (path <= PlainPath::alone_unread) {
    return write ? (t.writes_to_tell == 0 || t.on_stack(address)) && !shadow().may_meet_object(address) : !engine().in_payload(address);
  }
  return path == PlainPath::shared && known_access(t.index, address, size, write);
}
// The same where the size is only known at run time.
[[gnu::always_inline]] inline bool passes_range(Thread& t, uintptr_t address, bool write) {
  if (__builtin_expect(--t.plain_left == 0, 0)) return false;
  if (t.plain_path > PlainPath::alone_unread) return false;
  return write ? (t.writes_to_tell == 0 || t.on_stack(address)) && !shadow().holds_objects() : t.plain_path == PlainPath::alone || !engine().in_payload(address);
}
void counted_plain_access(Thread& t, uintptr_t address, size_t size, bool write, const Place& place);

}  // namespace heddle::rt
