// The moves on delays, on the search and on data bytes, and what the run then does.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "enforced_run.h"

namespace heddle::mutator {
namespace {

int x = 0;

void begin() { x = 0; }

// --- delays -----------------------------------------------------------------------------------

void* writes(void*) {
  __tsan_atomic32_store(&x, 1, kSeqCst);
  return nullptr;
}

void* reads(void*) {
  __tsan_atomic32_load(&x, kSeqCst);
  __tsan_atomic32_load(&x, kSeqCst);
  return nullptr;
}

int write_and_read(const uint8_t*, size_t) {
  begin();
  return both(writes, reads);
}

TEST(EnforcedDelay, WhatIsHeldComesAfterWhatItWaitsFor) {
  Execution parent(calm(), write_and_read);
  const uint32_t store = parent.at(1, Kind::atomic_store);
  ASSERT_TRUE(parent.before(store, parent.at(2, Kind::atomic_load)));
  std::set<SiteId> awaited;
  for (const Schedule& child : children(parent, {}, "delay")) {
    ASSERT_EQ(child.delays.size(), 1u);
    const Delay& d = child.delays[0];
    ASSERT_TRUE(same_op(d.what, parent.run.relations().exact(store)));
    awaited.insert(d.until.site);
    const bool alone = d.until.site == kNoSite;  // until nothing else can run
    EXPECT_EQ(runs_that(child, write_and_read, [&](const Execution& e) {
      const uint32_t held = e.run.relations().find(d.what);
      const uint32_t until = alone ? e.at(2, Kind::atomic_load, 1) : e.run.relations().find(d.until);
      return e.finished() && e.before(until, held) && (alone || e.flagged(kEventReleased) == 0);
    }), kSeeds);
    EXPECT_GT(runs_that(child, write_and_read, [](const Execution& e) { return e.flagged(kEventDelayed) == 1; }), 0);
  }
  EXPECT_EQ(awaited.size(), 3u);
  EXPECT_LT(runs_that({}, write_and_read, [](const Execution& e) {
    return e.before(e.at(2, Kind::atomic_load), e.at(1, Kind::atomic_store));
  }), kSeeds);
}

// --- the search -------------------------------------------------------------------------------

void* many(void*) {
  for (int i = 0; i < 20; ++i) __tsan_atomic32_store(&x, i, kSeqCst);
  return nullptr;
}

int busy(const uint8_t*, size_t) {
  begin();
  return both(many, many);
}

// How often the stores change hands.
int switches(const Execution& e) {
  uint32_t last = kNone;
  int n = -1;
  for (const Event& event : e.run.events) {
    if (event.kind != Kind::atomic_store) continue;
    n += event.thread != last;
    last = event.thread;
  }
  return n;
}

TEST(EnforcedSearch, ReseedMakesOtherRuns) {
  Schedule schedule;
  schedule.strategy = StrategyId::random_walk;
  Execution parent(schedule, busy);
  std::set<uint64_t> hashes{parent.hash};
  const auto results = children(parent, schedule, "reseed", 20);
  EXPECT_EQ(results.size(), 20u);
  for (const Schedule& child : results) {
    const Execution run(child, busy);
    EXPECT_EQ(run.run.events.size(), parent.run.events.size());
    EXPECT_EQ(run.hash, Execution(child, busy).hash);
    hashes.insert(run.hash);
  }
  EXPECT_EQ(hashes.size(), results.size() + 1);
}

TEST(EnforcedSearch, StrategyChangeDecidesWhoPicks) {
  Execution parent({}, busy);
  std::set<StrategyId> strategies;
  int walks = 0, walked = 0, blocks = 0, sticky = 0, stayed = 0, targeted = 0;
  Schedule odd;  // so that no child is like it
  odd.stickiness = 1;
  for (Schedule& child : children(parent, odd, "strategy_change", 400)) {
    strategies.insert(child.strategy);
    for (child.seed = 1; child.seed <= 3; ++child.seed) {
      const Execution run(child, busy);
      if (child.strategy != StrategyId::automatic) EXPECT_EQ(rt::engine().strategy().id, child.strategy);
      const int n = switches(run);
      if (child.strategy == StrategyId::round_robin) blocks = std::max(blocks, n);
      if (child.strategy == StrategyId::random_walk) ++walks, walked += n;
      if (child.strategy == StrategyId::sticky && child.stickiness >= 240) ++sticky, stayed += n;
      if (child.strategy == StrategyId::pct) EXPECT_LE(n, 2 * child.pct_depth + 12);
    }
    if (child.surw_site != kNoSite) {
      ++targeted;
      EXPECT_EQ(child.surw_site, parent.exact(1, Kind::atomic_store).site);
      ASSERT_EQ(child.weights.size(), 2u);
      EXPECT_EQ(child.weights[0].count, 20u);
    }
  }
  EXPECT_EQ(strategies.size(), static_cast<size_t>(kStrategyCount - 4));  // not writes_first (for weak memory), nonpreemptive (for minimized inputs), turns and places (ways of walks)
  EXPECT_EQ(blocks, 1);  // run to block: one thread, then the other
  ASSERT_GT(walks, 0);
  ASSERT_GT(sticky, 0);
  EXPECT_GT(walked / walks, 12);
  EXPECT_LT(stayed / sticky, 8);
  EXPECT_GT(targeted, 0);
}

// --- data bytes -------------------------------------------------------------------------------

std::vector<uint8_t>* g_given = nullptr;

int keeps_its_data(const uint8_t* data, size_t size) {
  g_given->assign(data, data + size);
  begin();
  return both(writes, reads);
}

TEST(EnforcedPayload, TheHarnessGetsTheBytesUnderTheSameSchedule) {
  std::vector<uint8_t> given;
  g_given = &given;
  Schedule schedule;
  schedule.seed = 7;
  schedule.payload = {1, 2, 3};
  Execution parent(schedule, keeps_its_data);
  EXPECT_EQ(given, schedule.payload);
  for (const Schedule& child : children(parent, schedule, "payload", 50)) {
    EXPECT_NE(child.payload, schedule.payload);
    const Execution run(child, keeps_its_data);
    EXPECT_EQ(given, child.payload);
    EXPECT_EQ(run.hash, parent.hash);  // a program that ignores its data does the same again
  }
}

}  // namespace
}  // namespace heddle::mutator
