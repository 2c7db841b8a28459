// The user's place of an operation: a code position, and its calling context. Every operation asks, so the answers are cached.
#pragma once

#include <bit>
#include <cstdint>

#include "trace/contexts.h"
#include "trace/sites.h"

namespace heddle::rt {

struct Spot {
  SiteId id;
  uint32_t site;      // index
  uint32_t position;  // index of the code position itself. If that is in a library, `site` is the user's call
  uint32_t context;   // node
  uint32_t context_hash;
};

class SpotTable {
 public:
  void initialise() { entries_[0].pc = kNoAnswer; }  // so that an unused entry, which has pc 0, is no answer for position 0
  // Valid until the next call, because it is in the table. `pc` is a return address. `frame` is that of the shim that returns there (0: not
  // known). `node` is the calling context there. `outer_pc` is the user's call into the library, if a shim has noted it; else 0.
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
