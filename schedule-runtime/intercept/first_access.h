// The short way of a plain access that the race detector does not know yet. For a thread that only has to be watched for races, and for an access
// within a granule of the heap, of its own stack, or of a variable. All others go the long way, which does the same: rest_of_plain_access.
#pragma once

#include <cstddef>
#include <cstdint>

#include "heap/execution_heap.h"
#include "intercept/plain_access.h"
#include "races/access_log.h"
#include "races/access_notes.h"
#include "trace/recorder.h"
#include "trace/sites.h"

namespace heddle::rt {

// The memory is no fiber's stack, and no coverage counter is there. REQUIRES: it is not of the heap.
bool is_variable(uintptr_t address);

// False: nothing was done, and the access has to go the long way.
template <size_t size, bool write>
[[gnu::always_inline]] inline bool first_access(Thread& t, uintptr_t address, uintptr_t pc) {
  if (size > sizeof(uint64_t) || (size != 1 && (address & 7) + size > 8)) return false;
  if (t.plain_path != PlainPath::shared || g_running.thread != t.index || access_notes().enabled() || t.ignored.what != 0) return false;
  uint32_t& left = write ? tls_gate.writes : tls_gate.reads;
  if (PlainGate::spent(left) || PlainGate::spent(left - 1)) return false;
  Granule* const g = shadow().at(address);
  if (g == nullptr || g->freed || granules().known(*g, address, size, write, g_running.epoch)) return false;
  const SiteTable::Position& position = sites().position(pc);
  if (__builtin_expect(position.library, 0)) return false;
  const bool on_heap = execution_heap().contains(reinterpret_cast<const void*>(address)), on_stack = t.on_stack(address);
  if (__builtin_expect(!on_heap && !on_stack, 0) && !is_variable(address)) return false;
  if (write) {
    if ((g->objects & mask_of(address, size)) != 0 || t.writes_to_tell != 0) return false;
    if (!on_stack && !fills_its_own_again(t, address)) engine().wrote_shared_memory(t);
  } else if (engine().in_unread_payload(address)) {
    return false;
  }
  --left;
  const auto events = static_cast<uint32_t>(recorder().events.size());
  if (on_heap || on_stack) access_log().add_there<size, write>(t.index, address, position.site, events);
  else log_access(t.index, address, size, write, false, position.site, events);
  granules().plain_within(*g, address, size, write, g_running.epoch | Access::what(position.site, Kind::none, write));
  recent_accesses().add(address, size, write);
  return true;
}

}  // namespace heddle::rt
