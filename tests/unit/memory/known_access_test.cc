// The question that the compiler's callbacks ask in a few instructions against the one that looks at everything: its yes is never wrong, and it
// is one where a thread goes over what it alone has used.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

#include "detector_lab.h"
#include "memory/known_access.h"

namespace heddle::rt {
namespace {

using Steps = std::vector<std::pair<uint8_t, uint8_t>>;

// Of all accesses within the two words: what is known in a few instructions is known. `alone`: and the other way round.
bool agree(uint32_t thread, bool alone, bool& split) {
  for (uintptr_t at = kBase; at < kBase + 16; ++at) {
    for (size_t size = 1; (at & 7) + size <= 8; size *= 2) {
      for (const bool write : {false, true}) {
        const bool known = race_detector_knows(thread, at, size, write);  // first: the thread runs then, and the words are at hand
        const bool quickly = known_access(thread, at, size, write);
        if (quickly != known && (quickly || alone)) return false;
      }
    }
    split = split || shadow().at(at)->split;
  }
  return true;
}

void run(const Steps& steps, uint32_t threads) {
  begin();
  for (uint32_t t = 1; t < threads; ++t) start(0, t);
  bool split = false;
  for (const auto& [what, detail] : steps) {
    static constexpr size_t kSizes[] = {1, 2, 4, 8, 3, 12};
    const uint32_t thread = detail % threads;
    const uintptr_t at = kBase + (detail >> 2) % 16;
    const size_t size = kSizes[(detail >> 5) % 6];
    const uintptr_t pc = 0x1000 + 16 * (what % 4);
    switch (what / 4 % 16) {
      case 0: event(thread, Kind::atomic_rmw, 7); break;  // a new epoch
      case 1: event(thread, Kind::atomic_rmw, 20, MemoryOrder::relaxed, Outcome::none, {at & ~uintptr_t{3}, 4, pc}); break;
      case 2: race_detector_forget(kBase + (detail & 8), 8); break;
      case 3: race_detector_freed(thread, kBase + (detail & 8), 8, sites().index_of(pc)); break;
      default: access(thread, at, size, what & 1, pc); break;
    }
    RC_ASSERT(agree(thread, threads == 1, split));
  }
  RC_CLASSIFY(split, "with words of several histories");
}

RC_GTEST_PROP(KnownAccess, OfOneThreadIsWhatTheDetectorKnows, (const Steps& steps)) { run(steps, 1); }
RC_GTEST_PROP(KnownAccess, OfSeveralThreadsIsNeverWrong, (const Steps& steps)) { run(steps, 3); }

}  // namespace
}  // namespace heddle::rt
