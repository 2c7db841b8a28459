// Where an operation is of the user's: a code position, and the calling context that it was come to in. Every operation asks, so the answers are
// remembered.
#pragma once

#include <bit>
#include <cstdint>

#include "trace/contexts.h"
#include "trace/sites.h"

namespace heddle::rt {

struct Spot {
  SiteId id;
  uint32_t site;      // index
  uint32_t position;  // index of the code position itself: `site` is the user's call, if that is in a library
  uint32_t context;   // node
  uint32_t context_hash;
};

class SpotTable {
 public:
  void initialise() { entries_[0].pc = kNoAnswer; }  // not for 0, which the entries that were never used seem to hold
  // Valid until the next call: it lies in the table. `pc` is a return address, `frame` of the shim that it returns from (0: not known), `node` the calling context
  // there; `outer_pc` the user's call into the library that a shim has noted, 0 if none has.
  const Spot& at(uintptr_t pc, uintptr_t outer_pc, uint32_t node, uintptr_t frame) {
    Entry& e = entries_[(pc + 3 * outer_pc + node * kSpread) * kSpread >> kShift];
    if (__builtin_expect(e.pc != pc || e.outer_pc != outer_pc || e.spot.context != node, 0)) find(e, pc, outer_pc, node, frame);
    return e.spot;
  }

 private:
  static constexpr size_t kEntries = 1 << 11;  // direct-mapped
  static constexpr uint64_t kSpread = 0x9E3779B97F4A7C15ull;
  static constexpr uintptr_t kNoAnswer = 1;  // no position
  static constexpr int kShift = 64 - std::bit_width(kEntries - 1);
  struct Entry {
    uintptr_t pc, outer_pc;
    Spot spot;
  };

  static void find(Entry& e, uintptr_t pc, uintptr_t outer_pc, uint32_t node, uintptr_t frame);
  static void resolve(Entry& e, uintptr_t pc, uintptr_t outer_pc, uint32_t node);

  Entry entries_[kEntries] = {};
};

extern SpotTable g_spots;
inline SpotTable& spots() { return g_spots; }

}  // namespace heddle::rt
