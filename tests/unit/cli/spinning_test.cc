// Runs of threads that spin or poll, without their late rounds.
#include "harness/cli/spinning.h"

#include <gtest/gtest.h>

#include "tests/unit/cli/stored_event.h"

namespace heddle::cli {
namespace {

TEST(Spinning, TheFirstRoundsOfALoopSayAll) {
  StoredTrace run;
  run.threads.resize(2);
  run.threads[1].create_event = 0;
  run.objects.resize(3);
  const auto add = [&](uint32_t thread, Kind kind, SiteId site, uint32_t done, uint32_t partner) {
    run.events.push_back(stored_event(thread, site, kind, done));
    run.events.back().partner = partner;
  };
  add(0, Kind::thread_create, 10, 1, kNoEvent);
  for (uint32_t i = 0; i < 1000; ++i) add(1, Kind::atomic_load, 11, 2 + i, kNoEvent);
  add(0, Kind::atomic_store, 12, 1002, kNoEvent);
  add(0, Kind::atomic_load, 13, 1003, 1001);
  add(1, Kind::atomic_load, 11, 0, kNoEvent);
  const StoredTrace few = without_later_rounds(run);
  ASSERT_EQ(few.events.size(), 1 + kRoundsThatTell + 3);
  EXPECT_EQ(few.events[few.events.size() - 2].partner, few.events.size() - 3);
  EXPECT_FALSE(few.events.back().finished());
  EXPECT_EQ(few.threads[1].create_event, 0u);
}

// A thread that polls beside those that wait in vain has thousands of rounds.
TEST(Spinning, ALongRunIsComparedWithoutItsLateRounds) {
  StoredTrace run;
  run.threads.resize(1);
  run.objects.resize(2);
  const auto rounds = [&](uint32_t count) {
    run.events.clear();
    for (uint32_t n = 1; n <= count; ++n) {
      for (const SiteId site : {1, 2}) {
        Event e = stored_event(0, site, Kind::atomic_load, 2 * n + static_cast<uint32_t>(site));
        e.object = 1;
        e.occurrence = n;
        e.req = e.done;
        run.events.push_back(e);
      }
    }
    Event last = run.events.back();
    last.site = 3;
    last.occurrence = 1;
    run.events.push_back(last);
    return for_comparison(run, false);
  };
  EXPECT_EQ(rounds(1000).events.size(), 2001u);
  const StoredTrace compared = rounds(20'000);
  EXPECT_EQ(compared.events.size(), 201u);
  EXPECT_EQ(compared.events[199].occurrence, 100u);
  EXPECT_EQ(compared.events.back().site, 3u);
  EXPECT_EQ(for_comparison(run, true).events.size(), 2 * kRoundsThatTell + 1);
}

}  // namespace
}  // namespace heddle::cli
