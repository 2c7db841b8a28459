// The system that asks for orders and sources that no run had (mutator/modes/unseen.h).
#include "mutator/modes/unseen.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "parent.h"

namespace heddle::mutator {
namespace {

// Site 1: threads 0 to 2 write. Site 2: thread 3 reads. `reader`: who goes first.
void learn(Unseen& system, bool reader_first) {
  Parent p;
  if (reader_first) p.add(3, 2, Kind::atomic_load, 1);
  for (uint32_t i = 0; i < 3; ++i) p.add(i, 1, Kind::atomic_store, 1);
  if (!reader_first) p.add(3, 2, Kind::atomic_load, 1);
  KnownRun run;
  run.assign(p.summary());
  system.learn(run, {}, false);
}

Schedule child_of(Unseen& system, Rng& rng) { return system.next({}, rng); }

TEST(Unseen, AsksForTheOtherOrderWithoutThreads) {
  Unseen system;
  learn(system, false);
  Rng rng(1);
  bool order = false, source = false, crowd = false;
  // The order "write first" was there. "Read first", the source and three threads waiting at the write were not.
  for (int i = 0; i < 3; ++i) {
    const Schedule s = child_of(system, rng);
    if (!s.delays.empty()) {
      ASSERT_EQ(s.delays.size(), 1u);
      EXPECT_EQ(s.delays[0].what.site, 1u);
      EXPECT_EQ(s.delays[0].what.thread, kAnyThread);
      EXPECT_EQ(s.delays[0].until, Element{});
      EXPECT_EQ(s.strategy, StrategyId::random_walk);
      crowd = true;
    } else if (!s.elements.empty()) {
      ASSERT_EQ(s.elements.size(), 2u);
      EXPECT_EQ(s.elements[0].site, 2u);
      EXPECT_EQ(s.elements[1].site, 1u);
      for (const Element& e : s.elements) EXPECT_EQ(e.thread, kAnyThread);
      order = true;
    } else {
      ASSERT_EQ(s.reads_from.size(), 1u);
      EXPECT_EQ(s.reads_from[0].read.site, 2u);
      EXPECT_EQ(s.reads_from[0].write.site, 1u);
      source = true;
    }
  }
  EXPECT_TRUE(order);
  EXPECT_TRUE(source);
  EXPECT_TRUE(crowd);
}

// Two threads at one position are no crowd: the order of the two says the same.
TEST(Unseen, TwoThreadsAreNoCrowd) {
  Unseen system;
  Parent p;
  for (uint32_t i = 0; i < 2; ++i) p.add(i, 1, Kind::atomic_rmw, 1);
  p.add(2, 2, Kind::atomic_load, 1);
  KnownRun run;
  run.assign(p.summary());
  system.learn(run, {}, false);
  Rng rng(1);
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(child_of(system, rng).delays.empty());
}

TEST(Unseen, WhatWasSeenComesLast) {
  Unseen system;
  learn(system, false);
  learn(system, true);
  Rng rng(1);
  // Both orders were there, the source and the crowd were not.
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(child_of(system, rng).elements.empty());
  std::set<std::pair<SiteId, SiteId>> orders;
  for (int i = 0; i < 4; ++i) {
    const Schedule s = child_of(system, rng);
    if (!s.elements.empty()) orders.insert({s.elements[0].site, s.elements[1].site});
  }
  EXPECT_EQ(orders.size(), 2u);
}

TEST(Unseen, NothingToAskForIsAFreshSeed) {
  Unseen system;
  Rng rng(1);
  const Schedule one = child_of(system, rng), two = child_of(system, rng);
  EXPECT_TRUE(one.elements.empty() && one.reads_from.empty());
  EXPECT_NE(one.seed, two.seed);
}

TEST(Unseen, ChanceAndPrioritiesTakeTurns) {
  Unseen system;
  learn(system, false);
  Rng rng(1);
  for (int turn = 0; turn < 6;) {
    const Schedule s = child_of(system, rng);
    if (s.delays.empty()) EXPECT_EQ(s.strategy, turn++ % 2 == 0 ? StrategyId::pos : StrategyId::pct);
  }
}

// The reader was last. In the order "read first" the writers wait, and one of them stays behind.
TEST(Unseen, WhoWaitsStaysBehind) {
  bool met = false;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    Unseen system;
    learn(system, false);
    Rng rng(seed);
    for (int i = 0; i < 2; ++i) {
      const Schedule s = child_of(system, rng);
      if (s.strategy != StrategyId::pct || s.elements.empty()) continue;
      met = true;
      ASSERT_EQ(s.weights.size(), 1u);
      EXPECT_EQ(s.weights[0].count, 0u);
      EXPECT_NE(s.weights[0].thread, Parent::id(3));
    }
  }
  EXPECT_TRUE(met);
}

// Six positions write one object, two another one.
TEST(Unseen, ObjectsThatWereTriedLeastComeFirst) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    Unseen system;
    Parent p;
    for (const SiteId site : {1, 2, 3, 4, 5, 6}) p.add(site % 2, site, Kind::atomic_store, 1);
    p.add(0, 7, Kind::atomic_store, 2);
    p.add(1, 8, Kind::atomic_store, 2);
    KnownRun run;
    run.assign(p.summary());
    system.learn(run, {}, false);
    Rng rng(seed);
    int others = 0;
    for (int i = 0; i < 2; ++i) others += child_of(system, rng).elements[0].site == 8;
    EXPECT_EQ(others, 1) << seed;
  }
}

// Each of three positions takes a lock, and each of three gives it back.
TEST(Unseen, OfALockOneSourceForEachPosition) {
  Unseen system;
  Parent p;
  for (const uint32_t thread : {0, 1, 2}) {
    p.add(thread, 10 + thread, Kind::mutex_lock, 1);
    p.add(thread, 20 + thread, Kind::mutex_unlock, 1);
  }
  KnownRun run;
  run.assign(p.summary());
  system.learn(run, {}, false);
  Rng rng(1);
  std::set<SiteId> reads;
  std::set<std::pair<SiteId, SiteId>> sources;
  for (int i = 0; i < 100; ++i) {
    const Schedule s = child_of(system, rng);
    for (const ReadsFrom& c : s.reads_from) reads.insert(c.read.site), sources.insert({c.read.site, c.write.site});
  }
  EXPECT_EQ(reads.size(), 3u);
  EXPECT_EQ(sources.size(), 3u);
}

// Three threads take two locks each, one after another, and the locks make a circle.
TEST(Unseen, ACycleOfLocksComesFirstAndOnce) {
  Unseen system;
  Parent p;
  for (const uint32_t thread : {0, 1, 2}) {
    const uint32_t outer = 1 + thread, inner = 1 + (thread + 1) % 3;
    p.add(thread, 10 + thread, Kind::mutex_lock, outer);
    p.add(thread, 20 + thread, Kind::mutex_lock, inner);
    p.add(thread, 30 + thread, Kind::mutex_unlock, inner);
    p.add(thread, 40 + thread, Kind::mutex_unlock, outer);
  }
  KnownRun run;
  run.assign(p.summary());
  system.learn(run, {}, false);
  system.learn(run, {}, false);
  Rng rng(1);
  const Schedule s = child_of(system, rng);
  ASSERT_EQ(s.elements.size(), 6u);
  for (size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(s.elements[i].site / 10, i < 3 ? 1u : 2u);
    EXPECT_EQ(s.elements[i].thread, Parent::id(s.elements[i].site % 10));
  }
  for (int i = 0; i < 20; ++i) EXPECT_LE(child_of(system, rng).elements.size(), 2u);
}

// In the first run, accesses to ordinary variables are no operations, but their races are known.
TEST(Unseen, AsksForTheOtherOrderOfARace) {
  Unseen system;
  Parent p;
  p.add(0, 1, Kind::thread_create, 0);
  RacingPair race{};
  race.first = 7, race.second = 8, race.first_writes = 1;
  p.races.push_back(race);
  KnownRun run;
  run.assign(p.summary());
  system.learn(run, {}, false);
  ASSERT_FALSE(system.idle());
  Rng rng(1);
  const Schedule s = child_of(system, rng);
  ASSERT_EQ(s.elements.size(), 2u);
  EXPECT_EQ(s.elements[0].site, 8u);
  EXPECT_EQ(s.elements[0].kind, Kind::plain_read);
  EXPECT_EQ(s.elements[1].site, 7u);
  EXPECT_EQ(s.elements[1].kind, Kind::plain_write);
}

TEST(Unseen, IdleWhenAllWasSeenOrTried) {
  Unseen system;
  EXPECT_TRUE(system.idle());
  learn(system, false);
  Rng rng(1);
  // Two pairs that never come true have three tries each, as has the crowd. One that was seen has one or two, by chance.
  int children = 0;
  for (; children < 20 && !system.idle(); ++children) child_of(system, rng);
  EXPECT_TRUE(children == 10 || children == 11) << children;
}

}  // namespace
}  // namespace heddle::mutator
