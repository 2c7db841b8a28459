// Short ways of a plain access that the race detector does not know yet. For a thread that only has to be watched for races, and for an access
// within a granule. What they do is what rest_of_plain_access does, which all others go to.
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
// The user's position. Engine::spot_of uses the same position to name the operation.
[[gnu::always_inline]] inline uint32_t user_site(Thread& t, Place place) {
  const SiteTable::Position& at = sites().position(place.pc);
  return __builtin_expect(!at.library, 1) ? at.site : Engine::spot_of(t, place).site;
}

// The thread is only watched for races, and this access does not end its window.
template <bool write>
[[gnu::always_inline]] inline bool only_watched(const Thread& t) {
  return t.plain_path == PlainPath::shared && g_running.thread == t.index && !access_notes().enabled() && t.ignored.what == 0 &&
         window_goes_on(write) && !(write && t.writes_to_tell != 0);
}

// The shortest way: to the heap or the own stack, from a position of the program's own, where nothing but this thread has been. It calls nothing
// unless all the rest is done, so it needs no frame. False: nothing was done.
template <size_t size, bool write>
[[gnu::always_inline]] inline bool quick_access(Thread& t, uintptr_t address, uintptr_t pc) {
  if (size > sizeof(uint64_t) || (size != 1 && (address & 7) % size != 0) || !only_watched<write>(t)) return false;
  const SiteTable::Position& position = sites().nearby(pc);
  if (position.pc != pc || position.library) return false;
  const bool on_stack = t.on_stack(address);
  if (!on_stack && !execution_heap().contains(reinterpret_cast<const void*>(address))) return false;
  if (write ? !on_stack && in_long_run() : engine().in_unread_payload(address)) return false;
  uint32_t tag;
  Granule* const g = shadow().at_hand(address, tag);
  if (g == nullptr || (g->tag != tag && !shadow().make_valid(address, *g, tag))) return false;
  constexpr uint32_t kShift = size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 3;
  const Granules::Quick done = granules().quick<write>(*g, address, kShift, g_running.epoch | Access::what(position.site, Kind::none, write));
  if (done == Granules::Quick::no) return false;
  recent_accesses().add(address, size, write);
  if (done == Granules::Quick::known) return true;
  if (write && !on_stack) engine().wrote_shared_memory(t);
  access_log().add_there<size, write>(t.index, address, position.site, static_cast<uint32_t>(recorder().events.size()));
  if (done == Granules::Quick::all_alike) granules().join(*g);
  return true;
}

// The way of most others. False: nothing was done.
template <size_t size, bool write>
[[gnu::always_inline]] inline bool first_access(Thread& t, uintptr_t address, Place place) {
  if (size > sizeof(uint64_t) || (size != 1 && (address & 7) + size > 8) || !only_watched<write>(t)) return false;
  Granule* const g = shadow().at(address);
  if (g == nullptr || g->freed || granules().known(*g, address, size, write, g_running.epoch)) return false;
  if (write ? (g->objects & mask_of(address, size)) != 0 : engine().in_unread_payload(address)) return false;
  const bool there = execution_heap().contains(reinterpret_cast<const void*>(address)) || t.on_stack(address);
  if (__builtin_expect(!there, 0) && !is_variable(address)) return false;
  const uint32_t site = user_site(t, place);
  if (write && !t.on_stack(address) && !fills_its_own_again(t, address)) engine().wrote_shared_memory(t);
  const auto events = static_cast<uint32_t>(recorder().events.size());
  if (there) access_log().add_there<size, write>(t.index, address, site, events);
  else log_access(t.index, address, size, write, false, site, events);
  granules().plain_within(*g, address, size, write, g_running.epoch | Access::what(site, Kind::none, write));
  recent_accesses().add(address, size, write);
  return true;
}

// The same for an access to two or three granules.
template <size_t size, bool write>
[[gnu::always_inline]] inline bool first_access_across(Thread& t, uintptr_t address, Place place) {
  if (!only_watched<write>(t)) return false;
  bool known = true;
  for (uintptr_t at = address, end = address + size; at < end; at = (at | 7) + 1) {
    Granule* const g = shadow().at(at);
    const size_t part = end - at < 8 - (at & 7) ? end - at : 8 - (at & 7);
    if (g == nullptr || g->freed || (write && (g->objects & mask_of(at, part)) != 0)) return false;
    known = known && granules().known(*g, at, part, write, g_running.epoch);
  }
  if (!known) {
    if (!write && (engine().in_unread_payload(address) || engine().in_unread_payload(address + size - 1))) return false;
    const bool there = execution_heap().contains(reinterpret_cast<const void*>(address)) || t.on_stack(address);
    if (!there && !is_variable(address)) return false;
    const uint32_t site = user_site(t, place);
    if (write && !t.on_stack(address) && !fills_its_own_again(t, address)) engine().wrote_shared_memory(t);
    log_access(t.index, address, size, write, there, site, static_cast<uint32_t>(recorder().events.size()));
    granules().access(address, size, write ? Sort::write : Sort::read, g_running.epoch | Access::what(site, Kind::none, write));
  }
  recent_accesses().add_range(address, size, write);
  return true;
}

}  // namespace heddle::rt
