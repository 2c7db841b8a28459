// The race detector, with events and accesses that the test reports by hand.
#pragma once

#include <cstdint>
#include <set>
#include <utility>

#include "races/race_detector.h"
#include "trace/sites.h"

namespace heddle::rt {

inline constexpr uintptr_t kBase = 0x123456000;  // never touched: the detector works on addresses alone

using Pair = std::pair<SiteId, SiteId>;

inline Pair ordered(SiteId a, SiteId b) { return a < b ? Pair{a, b} : Pair{b, a}; }

inline SiteId site_id(uintptr_t pc) { return sites()[sites().index_of(pc)].id; }

inline std::set<Pair> found() {
  uint32_t count = 0;
  const RacingPair* pairs = race_detector_pairs(count);
  std::set<Pair> result;
  for (uint32_t i = 0; i < count; ++i) result.insert(ordered(pairs[i].first, pairs[i].second));
  return result;
}

inline void begin() {
  sites().initialise();
  race_detector_initialise();
  race_detector_begin();
}

struct Bytes {
  uintptr_t address = 0;
  size_t size = 0;
  uintptr_t pc = 0;
};

inline void event(uint32_t thread, Kind kind, uint32_t object, MemoryOrder order = MemoryOrder::seq_cst,
           Outcome outcome = Outcome::none, const Bytes& bytes = {}) {
  Event e{};
  e.site = 1;
  e.thread = thread;
  e.object = object;
  e.kind = kind;
  e.order = order;
  e.outcome = outcome;
  e.partner = kNoEvent;
  e.done = 1;
  if (bytes.address != 0) e.pc_index = sites().index_of(bytes.pc);
  race_detector_event(e, kNoEvent, bytes.address, bytes.size);
}

inline void start(uint32_t parent, uint32_t child) {
  event(parent, Kind::thread_create, 100 + child);
  event(child, Kind::thread_start, 100 + child);
}

inline void access(uint32_t thread, uintptr_t address, size_t size, bool write, uintptr_t pc) {
  if (race_detector_knows(thread, address, size, write)) return;
  race_detector_access(thread, address, size, write, pc);
}

}  // namespace heddle::rt
