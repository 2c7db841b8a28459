// The system that makes orders that no run had (mutator/modes/new_orders.h).
#include "mutator/modes/new_orders.h"

#include <gtest/gtest.h>

#include <set>

#include "parent.h"

namespace heddle::mutator {
namespace {

// Threads 0 to 2 store once at sites 1 to 3, in the order that is given.
Parent stores(std::initializer_list<uint32_t> threads) {
  Parent p;
  for (const uint32_t t : threads) p.add(t, 1 + t, Kind::atomic_store, 1);
  return p;
}

void learn(NewOrders& system, const Parent& p, const Schedule& schedule = {}) {
  KnownRun run;
  run.assign(p.summary());
  system.learn(run, schedule, false);
}

// A prefix as its sites.
std::vector<SiteId> sites(const Schedule& s) {
  std::vector<SiteId> out;
  for (const Element& e : s.elements) out.push_back(e.site);
  return out;
}

TEST(NewOrders, TurnsEachRaceRoundOnce) {
  NewOrders system;
  EXPECT_TRUE(system.idle());
  learn(system, stores({0, 1, 2}));
  Rng rng(1);
  std::set<std::vector<SiteId>> prefixes;
  while (!system.idle()) {
    const Schedule s = system.next({}, rng);
    EXPECT_TRUE(prefixes.insert(sites(s)).second);
    for (const Delay& d : s.delays) EXPECT_EQ(d.until.site, s.elements.back().site);
  }
  // The second store first; the third before the second.
  EXPECT_EQ(prefixes, (std::set<std::vector<SiteId>>{{2}, {1, 3}}));
}

TEST(NewOrders, AnOrderThatWasThereGivesNothing) {
  NewOrders system;
  Rng rng(1);
  learn(system, stores({0, 1, 2}));
  while (!system.idle()) system.next({}, rng);
  learn(system, stores({0, 1, 2}));
  EXPECT_TRUE(system.idle());
  learn(system, stores({1, 0, 2}));
  EXPECT_FALSE(system.idle());
}

// The child would begin with what another run has done by itself.
TEST(NewOrders, APrefixThatAnotherRunHasMadeIsDropped) {
  for (const bool before : {false, true}) {
    NewOrders system;
    Rng rng(1);
    const auto reversed = [&] { learn(system, stores({1, 0, 2})); };
    if (before) reversed();
    learn(system, stores({0, 1, 2}));
    if (!before) reversed();
    std::set<std::vector<SiteId>> prefixes;
    while (!system.idle()) prefixes.insert(sites(system.next({}, rng)));
    EXPECT_EQ(prefixes.count({2}), 0u);        // the second run
    EXPECT_EQ(prefixes.count({1, 3}), 1u);     // no run
    EXPECT_EQ(prefixes.count({2, 3}), 1u);
  }
}

// The run has the operations of the prefix, but another one comes before them.
TEST(NewOrders, APrefixWithSomethingBeforeItIsNotDropped) {
  NewOrders system;
  Rng rng(1);
  learn(system, stores({0, 1, 2}));
  learn(system, stores({2, 1, 0}));
  std::set<std::vector<SiteId>> prefixes;
  while (!system.idle()) prefixes.insert(sites(system.next({}, rng)));
  EXPECT_EQ(prefixes.count({2}), 1u);
}

TEST(NewOrders, ChanceAndPrioritiesTakeTurns) {
  NewOrders system;
  learn(system, stores({0, 1, 2}));
  Rng rng(1);
  for (const StrategyId id : {StrategyId::pos, StrategyId::pct}) {
    const Schedule s = system.next({}, rng);
    EXPECT_EQ(s.strategy, id);
    EXPECT_EQ(s.pct_depth, id == StrategyId::pct ? 1 : 0);
    EXPECT_EQ(s.weights.empty(), id == StrategyId::pos);
  }
}

// Thread 1 comes before thread 0, or thread 2 before thread 1.
TEST(NewOrders, WhoWasOvertakenStaysBehind) {
  std::set<ThreadId> met;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    NewOrders system;
    learn(system, stores({0, 1, 2}));
    Rng rng(seed);
    system.next({}, rng);
    const Schedule s = system.next({}, rng);
    const ThreadId overtakes = s.elements.back().thread;
    const ThreadId overtaken = Parent::id(overtakes == Parent::id(1) ? 0 : 1);
    EXPECT_EQ(s.weights, (std::vector<ThreadWeight>{{overtakes, ~uint32_t{0}, 0}, {overtaken, 0, 0}}));
    met.insert(overtakes);
  }
  EXPECT_EQ(met.size(), 2u);
}

// Threads 0 and 1 make two operations each on one object. Only the two in the middle are a race.
TEST(NewOrders, PairsThatLieFarApartAreOfItsOwnKindOrOfOrdinaryVariables) {
  const auto has_last = [](NewOrders::Reach reach, Kind kind, Kind closes) {
    NewOrders system(reach);
    Parent p;
    for (const uint32_t t : {0u, 1u}) {
      for (const SiteId site : {10 * t + 1, 10 * t + 2}) {
        p.add(t, site, kind, 1);
        if (closes != Kind::none) p.add(t, site + 100, closes, 1);
      }
    }
    learn(system, p);
    Rng rng(1);
    std::set<SiteId> last;
    while (!system.idle()) last.insert(system.next({}, rng).elements.back().site);
    return last.contains(12);
  };
  using enum Kind;
  EXPECT_FALSE(has_last(NewOrders::Reach::near, mutex_lock, mutex_unlock));
  EXPECT_TRUE(has_last(NewOrders::Reach::far, mutex_lock, mutex_unlock));
  EXPECT_TRUE(has_last(NewOrders::Reach::near, plain_write, none));
}

// Sites 1 to 4 race on one object, sites 5 and 6 on another one.
TEST(NewOrders, ObjectsThatWereTurnedLeastComeFirst) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    NewOrders system;
    Parent p;
    for (const SiteId site : {1, 2, 3, 4}) p.add(site % 2, site, Kind::atomic_store, 1);
    p.add(0, 5, Kind::atomic_store, 2);
    p.add(1, 6, Kind::atomic_store, 2);
    learn(system, p);
    Rng rng(seed);
    std::set<SiteId> first;
    for (int i = 0; i < 2; ++i) first.insert(system.next({}, rng).elements.back().site);
    EXPECT_EQ(first.count(6), 1u) << seed;
  }
}

// Sites 1 and 3 race on two objects, sites 2 and 4 on one: both pairs of positions come before the second race of the first pair.
TEST(NewOrders, PairsOfPositionsThatWereTurnedLeastComeFirst) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    NewOrders system;
    Parent p;
    for (uint32_t o = 1; o <= 3; ++o) {
      p.add(0, o == 3 ? 2 : 1, Kind::atomic_store, o);
      p.add(1, o == 3 ? 4 : 3, Kind::atomic_store, o);
    }
    learn(system, p);
    Rng rng(seed);
    std::set<SiteId> first;
    for (int i = 0; i < 2; ++i) first.insert(system.next({}, rng).elements.back().site);
    EXPECT_EQ(first, (std::set<SiteId>{3, 4})) << seed;
  }
}

TEST(NewOrders, WaitsForRunsInWhichRacesAreVisible) {
  NewOrders system;
  Parent p = stores({0, 1, 2});
  p.races.push_back({30, 31, 3, 1, 1, {}, {}});
  learn(system, p);
  EXPECT_TRUE(system.idle());
  Schedule visible;
  visible.visible_plain = {30, 31};
  learn(system, p, visible);
  ASSERT_FALSE(system.idle());
  Rng rng(1);
  EXPECT_EQ(system.next({}, rng).visible_plain, visible.visible_plain);
}

TEST(NewOrders, NothingLeftIsAFreshSeed) {
  NewOrders system;
  Rng rng(1);
  const Schedule one = system.next({}, rng), two = system.next({}, rng);
  EXPECT_TRUE(one.elements.empty() && one.delays.empty());
  EXPECT_NE(one.seed, two.seed);
}

}  // namespace
}  // namespace heddle::mutator
