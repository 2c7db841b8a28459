// A plain access of a controlled thread. It goes to the race detector. If the input says so, it is a visible operation
// (docs/design/runtime-laws.md#plain-accesses).
#pragma once

#include <cstddef>

#include "engine/engine.h"
#include "races/known_access.h"
#include "races/recent_accesses.h"

namespace heddle::rt {

// Called before the access happens. True: it was visible, so a choice has stood before it.
bool plain_access(Thread& t, uintptr_t address, size_t size, bool write, Place place);

// The access counts towards the next forced choice, and that is all.
void count_plain_access(Thread& t, uintptr_t address, bool write, Place place);

// Called before a heap block or a mapping ends. This is a write to all of it that was accessed, as in TSan. There is a choice point if the input asks
// for it. ASan is asked about the first bytes only, and only objects there are overwritten.
inline constexpr size_t kEndShown = 64;
void end_of_memory(Thread& t, uintptr_t address, size_t size, Place place);
// The same for a block of the execution heap that ends right after it, unless another thread comes in between.
void end_of_block(Thread& t, uintptr_t address, size_t size, Place place);

// A loop that allocates and frees in each round writes to a new block each time, but learns nothing. So if a thread writes to a block that
// it has freed itself before, this is no news. Checked only in long runs: in short runs it hardly matters, and the check is expensive.
bool freed_it_before(const Thread& t, uintptr_t address);
inline bool in_long_run() {
  constexpr uint32_t kLongRun = 20'000;
  return __builtin_expect(engine().steps() >= kLongRun, 0);
}
inline bool fills_its_own_again(const Thread& t, uintptr_t address) { return in_long_run() && freed_it_before(t, address); }

// Data bytes that were unread until now: in_unread_payload(address).
void note_payload_read(uintptr_t address, size_t size);

// An access is counted once, where it enters heddle. Everything behind that only asks whether the window goes on. False: the window is over.
[[gnu::always_inline]] inline bool count(bool write) { return !PlainGate::spent(--(write ? tls_gate.writes : tls_gate.reads)); }
[[gnu::always_inline]] inline bool window_goes_on(bool write) { return !PlainGate::spent(write ? tls_gate.writes : tls_gate.reads); }

// See PlainGate. False if no controlled thread is running.
[[gnu::always_inline]] inline bool gate_is_open(uintptr_t address, bool write) {
  return write ? tls_gate.closed_hints[Shadow::hint_of(address)] == 0 : address - tls_gate.closed_from >= tls_gate.closed_size;
}
// Counts an access of any size. True: nothing else is to be done. For a large write the hints do not tell.
[[gnu::always_inline]] inline bool passes_gate(uintptr_t address, size_t size, bool write) {
  const bool goes_on = count(write), open = gate_is_open(address, write);
  return (!write || size <= Shadow::kHintReach) && (goes_on & open);
}
// The same while a thread is alone, if the size is known only at run time.
[[gnu::always_inline]] inline bool range_passes_alone(const Thread& t, uintptr_t address, bool write) {
  return t.plain_path == PlainPath::alone && !(write && shadow().holds_objects()) && gate_is_open(address, write) && window_goes_on(write);
}
// While a thread is alone, the gate may be closed to see whether its writes are new. A write to its own stack is never news, so it can
// pass.
[[gnu::always_inline]] inline bool tells_nothing(const Thread& t, uintptr_t address, bool write) {
  return write && t.plain_path == PlainPath::alone && t.on_stack(address);
}
// In an unwatched execution: true if the access only needs to be counted.
template <bool write>
[[gnu::always_inline]] inline bool passes_unwatched(Thread& t, uintptr_t address) {
  if (!window_goes_on(write)) return false;
  if (!write) return !engine().in_unread_payload(address);
  if (shadow().may_meet_object(address)) return false;
  if (!t.on_stack(address)) {
    if (t.next_write_is_new) return false;
    engine().may_have_written_shared_memory();
  }
  return true;
}
// For accesses that the gate does not pass, on any thread. True: nothing is to be done.
template <size_t size, bool write>
[[gnu::always_inline]] inline bool passes(Thread& t, uintptr_t address) {
  if (t.plain_path == PlainPath::unwatched) return passes_unwatched<write>(t, address);
  if (!window_goes_on(write)) return false;
  if (t.plain_path != PlainPath::shared) return tells_nothing(t, address, write) && !shadow().may_meet_object(address);
  if (!known_access(t.index, address, size, write)) return false;
  recent_accesses().add(address, size, write);
  return true;
}
// The same for a thread whose path is `listed`. True only if the input does not make the access visible.
template <size_t size, bool write>
[[gnu::always_inline]] inline bool passes_unlisted(Thread& t, uintptr_t address, uintptr_t pc) {
  if (!window_goes_on(write) || !engine().visible_plain().passes_over(pc)) return false;
  if (t.alone) {
    if (!write) return !engine().in_unread_payload(address);
    return (t.writes_to_tell == 0 || t.on_stack(address)) && !shadow().may_meet_object(address);
  }
  if (recent_accesses().contains_hidden(address, size, write)) return true;
  if (!known_access(t.index, address, size, write)) return false;
  recent_accesses().add(address, size, write);
  return true;
}
[[gnu::always_inline]] inline bool range_passes(Thread& t, uintptr_t address, size_t size, bool write) {
  if (!window_goes_on(write)) return false;
  if (range_passes_alone(t, address, write)) return true;
  if (t.plain_path == PlainPath::shared) return recent_accesses().contains_range(address, size, write);
  if (t.plain_path == PlainPath::unwatched) {
    if (!write) return passes_unwatched<false>(t, address);
    return (size <= Shadow::kHintReach || !shadow().holds_objects()) && passes_unwatched<true>(t, address);
  }
  return tells_nothing(t, address, write) && !shadow().holds_objects();
}
// Everything else, for an access that is counted. True as for plain_access.
bool rest_of_plain_access(Thread& t, uintptr_t address, size_t size, bool write, Place place);

}  // namespace heddle::rt
