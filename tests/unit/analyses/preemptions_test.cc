// The count of preemptions against one that looks back from each switch, on random runs with locks, waits and yields.
#include "analyses/report/preemptions.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace heddle::rt {
namespace {

constexpr uint32_t kThreads = 4, kObjects = 4;

bool waits(const Event& e) {
  if (!e.finished()) return kind_info(e.kind).has(kBlocks);
  return (e.flags & kEventContended) != 0 || e.kind == Kind::cond_wake || kind_info(e.kind).has(kYields);
}

bool was_free(const std::vector<Event>& run, size_t at, uint32_t lock) {
  for (size_t i = at + 1; i-- > 0;) {
    const Event& e = run[i];
    if (e.kind == Kind::cond_wait && e.choice == lock) return true;
    if (e.kind == Kind::cond_wait || e.object != lock || !e.finished() || e.outcome == Outcome::failure) continue;
    if (kind_info(e.kind).has(kHoldsLock)) return false;
    if (kind_info(e.kind).has(kDropsLock)) return true;
  }
  return true;
}

uint32_t counted_slowly(const std::vector<Event>& run) {
  uint32_t count = 0;
  for (size_t i = 0; i + 1 < run.size(); ++i) {
    const Event& e = run[i];
    if (!e.finished() || !run[i + 1].finished() || run[i + 1].thread == e.thread) continue;
    if (e.kind == Kind::thread_exit || kind_info(e.kind).has(kYields)) continue;
    size_t next = i + 1;
    while (next < run.size() && run[next].thread != e.thread) ++next;
    const bool had_to_wait = next < run.size() && waits(run[next]) &&
                             !(kind_info(run[next].kind).has(kHoldsLock) && was_free(run, i, run[next].object));
    count += !had_to_wait;
  }
  return count;
}

TEST(Preemptions, AgreeWithASlowCount) {
  constexpr Kind kKinds[] = {Kind::mutex_lock, Kind::mutex_trylock, Kind::mutex_unlock, Kind::cond_wait, Kind::cond_wake,
                             Kind::atomic_rmw, Kind::yield,         Kind::thread_exit};
  uint32_t all = 0;
  for (uint32_t seed = 0; seed < 500; ++seed) {
    std::mt19937 rng(seed);
    std::vector<Event> events(rng() % 60);
    for (uint32_t i = 0; i < events.size(); ++i) {
      Event& e = events[i];
      e = {};
      e.thread = rng() % kThreads;
      e.kind = kKinds[rng() % std::size(kKinds)];
      e.object = 1 + rng() % (kObjects - 1);
      if (e.kind == Kind::cond_wait) e.choice = 1 + rng() % (kObjects - 1);
      if (e.kind == Kind::mutex_trylock) e.outcome = rng() % 2 != 0 ? Outcome::success : Outcome::failure;
      if (kind_info(e.kind).has(kBlocks) && rng() % 3 == 0) e.flags = kEventContended;
      e.req = 2 * i + 1;
      e.done = i + 3 > events.size() && rng() % 2 != 0 ? 0 : 2 * i + 2;
    }
    RunSummary run = {};
    run.events = events.data();
    run.event_count = static_cast<uint32_t>(events.size());
    run.thread_count = kThreads;
    run.object_count = kObjects;
    ASSERT_EQ(preemptions(run), counted_slowly(events)) << "seed " << seed;
    all += preemptions(run);
  }
  EXPECT_GT(all, 1000u);
}

}  // namespace
}  // namespace heddle::rt
