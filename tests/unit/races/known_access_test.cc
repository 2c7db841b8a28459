// The questions that the compiler's callbacks ask in a few instructions against the one that looks at everything: their yes is never wrong, and
// that of known_access is one where a thread goes over what it alone has used.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <thread>
#include <vector>

#include "detector_lab.h"
#include "races/known_access.h"
#include "races/recent_accesses.h"
#include "trace/sites.h"

namespace heddle::rt {
namespace {

using Steps = std::vector<std::pair<uint8_t, uint8_t>>;

// Of all accesses within the two words: what is known in a few instructions is known. `alone`: and the other way round.
// What is known is remembered from then on, if `remember`.
bool agree(uint32_t thread, bool alone, bool remember, bool& split) {
  for (uintptr_t at = kBase; at < kBase + 16; ++at) {
    for (size_t size = 1; (at & 7) + size <= 8; size *= 2) {
      for (const bool write : {false, true}) {
        const bool known = race_detector_knows(thread, at, size, write);  // first: the thread runs then, and the words are at hand
        const bool quickly = known_access(thread, at, size, write);
        if (quickly != known && (quickly || alone)) return false;
        if (recent_accesses().contains(at, size, write) && !known) return false;
        if (known && remember) recent_accesses().add(at, size, write);
        if (remember && recent_accesses().contains(at, size, write) != known) return false;
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
  uint32_t last = ~0u;
  bool recently = false;  // something was remembered in the present turn, and asked again after more steps
  for (const auto& [what, detail] : steps) {
    static constexpr size_t kSizes[] = {1, 2, 4, 8, 3, 12};
    const uint32_t thread = detail % threads;
    const uintptr_t at = kBase + (detail >> 2) % 16;
    const size_t size = kSizes[(detail >> 5) % 6];
    const uintptr_t pc = 0x1000 + 16 * (what % 4);
    // Each turn of a thread begins with an event, and each event is one such moment.
    if (thread != last || what / 4 % 16 < 2) recent_accesses().forget();
    else recently = true;
    last = thread;
    switch (what / 4 % 16) {
      case 0: event(thread, Kind::atomic_rmw, 7); break;  // a new epoch
      case 1: event(thread, Kind::atomic_rmw, 20, MemoryOrder::relaxed, Outcome::none, {at & ~uintptr_t{3}, 4, pc}); break;
      case 2: race_detector_forget(kBase + (detail & 8), 8); break;
      case 3: race_detector_freed(thread, kBase + (detail & 8), 8, sites().index_of(pc)); break;
      case 4:
        if (threads > 1) race_detector_object(at);  // what is near one is not told in a few instructions
        break;
      case 5: race_detector_discarded(kBase + (detail & 8), 8); break;
      case 6: race_detector_end_of_memory(thread, kBase + (detail & 8), 8, sites().index_of(pc), 0); break;
      default: access(thread, at, size, what & 1, pc); break;
    }
    RC_ASSERT(agree(thread, threads == 1, what & 2, split));
  }
  RC_CLASSIFY(recently, "with several steps in a turn");
  RC_CLASSIFY(split, "with words of several histories");
}

RC_GTEST_PROP(KnownAccess, OfOneThreadIsWhatTheDetectorKnows, (const Steps& steps)) { run(steps, 1); }
RC_GTEST_PROP(KnownAccess, OfSeveralThreadsIsNeverWrong, (const Steps& steps)) { run(steps, 3); }

TEST(RecentAccesses, BytesOfAGranuleAndRanges) {
  RecentAccesses& recent = recent_accesses();
  recent.forget();
  recent.add(kBase + 2, 2, false);
  EXPECT_TRUE(recent.contains(kBase + 3, 1, false));
  EXPECT_FALSE(recent.contains(kBase + 2, 2, true));
  EXPECT_FALSE(recent.contains(kBase + 2, 4, false));
  recent.add(kBase + 4, 2, false);
  EXPECT_TRUE(recent.contains(kBase + 2, 4, false));
  recent.add_range(kBase + 5, 30, true);
  EXPECT_TRUE(recent.contains_range(kBase + 6, 29, true));
  EXPECT_FALSE(recent.contains_range(kBase + 6, 30, true));
  EXPECT_TRUE(recent.contains(kBase + 8, 16, true));
  EXPECT_FALSE(recent.contains(kBase + 9, 16, true));
  recent.forget(kBase + 15, 2);
  EXPECT_FALSE(recent.contains(kBase + 8, 8, true));
  EXPECT_FALSE(recent.contains(kBase + 16, 1, true));
  EXPECT_TRUE(recent.contains(kBase + 24, 8, true));
}

TEST(RecentAccesses, LongRangesUntilAnyMemoryIsForgotten) {
  constexpr size_t kLong = 20'000;
  RecentAccesses& recent = recent_accesses();
  recent.forget();
  recent.add_range(kBase + 3, kLong, false);
  EXPECT_TRUE(recent.contains_range(kBase + 3, kLong, false));
  EXPECT_FALSE(recent.contains_range(kBase + 3, kLong, true));
  EXPECT_FALSE(recent.contains_range(kBase + 3, kLong + 1, false));
  EXPECT_FALSE(recent.contains_range(kBase + 4, kLong, false));
  recent.forget(kBase + 5000, 8);
  EXPECT_FALSE(recent.contains_range(kBase + 3, kLong, false));
  recent.add_range(kBase + 3, 40, true);
  recent.forget(kBase + 8, 8);
  EXPECT_FALSE(recent.contains_range(kBase + 3, 40, true));
  recent.add_range(kBase + 3, 40, true);
  EXPECT_TRUE(recent.contains_range(kBase + 3, 40, true));
  recent.forget();
  EXPECT_FALSE(recent.contains_range(kBase + 3, 40, true));
  for (const size_t size : {size_t{1} << 16, size_t{1} << 40, ~size_t{0}}) {
    recent.add_range(kBase, size, true);
    EXPECT_FALSE(recent.contains_range(kBase, size, true));
  }
}

TEST(RecentAccesses, NoStampComesAgain) {
  RecentAccesses& recent = recent_accesses();
  for (int i = 0; i < 10'000; ++i) {
    recent.forget();
    ASSERT_FALSE(recent.contains(kBase, 8, true)) << i;
    if (i == 100) recent.add(kBase, 8, true);
  }
}

TEST(RecentAccesses, HiddenOnesAreThereForThoseWhoAskForThem) {
  RecentAccesses& recent = recent_accesses();
  recent.hide(true);
  recent.forget();
  recent.add(kBase, 8, true);
  EXPECT_FALSE(recent.contains(kBase, 8, true));
  EXPECT_TRUE(recent.contains_hidden(kBase, 8, true));
  EXPECT_TRUE(recent.contains_range(kBase, 8, true));
  recent.forget();
  EXPECT_FALSE(recent.contains_hidden(kBase, 8, true));
  recent.hide(false);
  recent.forget();
  recent.add(kBase, 8, true);
  EXPECT_TRUE(recent.contains(kBase, 8, true));
}

// It has the stamp 0, as an entry that was never used, or has been forgotten.
TEST(RecentAccesses, AThreadThatIsNotControlledHasNone) {
  recent_accesses().forget();
  recent_accesses().add(kBase, 8, true);
  std::thread([] { EXPECT_FALSE(recent_accesses().contains(kBase, 8, true)); }).join();
  EXPECT_TRUE(recent_accesses().contains(kBase, 8, true));
}

}  // namespace
}  // namespace heddle::rt
