// What a plain access of a controlled thread means: it feeds the race detector, and is a visible operation where the input
// says so (DESIGN.md 6).
#pragma once

#include <cstddef>

#include "engine/engine.h"
#include "memory/known_access.h"
#include "memory/recent_accesses.h"

namespace heddle::rt {

// To be called before the access happens.
void plain_access(Thread& t, uintptr_t address, size_t size, bool write, const Place& place);

// Data bytes that have not been known to be read: in_unread_payload(address).
void note_payload_read(uintptr_t address, size_t size);

// An access of a thread that is alone, and nothing is to be done for it but to count it. False wherever no thread is controlled.
[[gnu::always_inline]] inline bool passes_alone(uintptr_t address, bool write) {
  if (write) {
    if (tls_quota.writes == 0 || shadow().may_meet_object(address)) return false;
    --tls_quota.writes;
  } else {
    if (tls_quota.reads == 0 || engine().in_unread_payload(address)) return false;
    --tls_quota.reads;
  }
  return true;
}
// The same where the size is only known at run time.
[[gnu::always_inline]] inline bool range_passes_alone(uintptr_t address, bool write) {
  return !(write && shadow().holds_objects()) && passes_alone(address, write);
}
// A write of a thread that is alone to its own stack, while its writes have no quota, for they might tell the engine of something new: this cannot.
[[gnu::always_inline]] inline bool tells_nothing(const Thread& t, uintptr_t address, bool write) {
  return write && t.plain_path == PlainPath::alone && t.on_stack(address);
}
[[gnu::always_inline]] inline bool count() { return --tls_quota.others != 0; }
// In an execution that is not watched: true if nothing counts but how many accesses there are.
template <bool write>
[[gnu::always_inline]] inline bool passes_unwatched(Thread& t, uintptr_t address) {
  if (!write) return !engine().in_unread_payload(address) && count();
  if (shadow().may_meet_object(address)) return false;
  if (!t.on_stack(address)) {
    if (t.next_write_is_new) return false;
    engine().may_have_written_shared_memory();
  }
  return count();
}
// Of what passes_alone leaves, on any thread: true if the access is counted, and nothing else is to be done for it.
template <size_t size, bool write>
[[gnu::always_inline]] inline bool passes(Thread& t, uintptr_t address) {
  if (t.plain_path == PlainPath::unwatched) return passes_unwatched<write>(t, address);
  if (t.plain_path != PlainPath::shared) return tells_nothing(t, address, write) && !shadow().may_meet_object(address) && count();
  if (!known_access(t.index, address, size, write)) return false;
  recent_accesses().add(address, size, write);
  return count();
}
// The same of a thread whose path is `listed`: true if it is none of the accesses that the input makes visible, either.
template <size_t size, bool write>
[[gnu::always_inline]] inline bool passes_unlisted(Thread& t, uintptr_t address, uintptr_t pc) {
  if (!engine().visible_plain().passes_over(pc)) return false;
  if (t.alone) {
    if (t.sampling) return false;
    if (!write) return !engine().in_unread_payload(address) && count();
    return (t.writes_to_tell == 0 || t.on_stack(address)) && !shadow().may_meet_object(address) && count();
  }
  if (recent_accesses().contains_hidden(address, size, write)) return count();
  if (!known_access(t.index, address, size, write)) return false;
  recent_accesses().add(address, size, write);
  return count();
}
[[gnu::always_inline]] inline bool range_passes(Thread& t, uintptr_t address, size_t size, bool write) {
  if (t.plain_path == PlainPath::shared) return recent_accesses().contains_range(address, size, write) && count();
  return tells_nothing(t, address, write) && !shadow().holds_objects() && count();
}
// All else.
void rest_of_plain_access(Thread& t, uintptr_t address, size_t size, bool write, const Place& place);

}  // namespace heddle::rt
