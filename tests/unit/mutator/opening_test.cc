// The opening of `mixed` (mutator/modes/opening.h): which of its first children other modes' systems make.
#include "mutator/modes/opening.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "parent.h"
#include "schema/codec.h"
#include "weak_parent.h"

namespace heddle::mutator {
namespace {

struct Campaign {
  std::vector<std::string> moves;  // of each child
  std::vector<Schedule> children;
  std::string statistics;

  size_t count(std::string_view name) const { return static_cast<size_t>(std::count(moves.begin(), moves.end(), name)); }
  size_t opened() const { return count("walk") + count("flow") + count("unseen") + count("new-orders") + count("far-orders"); }
};

// Every child is the next parent, as libFuzzer mostly does it, and has the same run.
Campaign campaign(Parent p, const Options& options, uint32_t children, uint64_t payload_reads = 0) {
  Mutator m(options);
  Campaign c;
  std::vector<uint8_t> input;
  for (uint32_t i = 0; i < children; ++i) {
    p.hash = hash_input(input);
    p.flags = (i == 0 ? kRunNovel : 0u) | (payload_reads != 0 ? kRunPayloadRead : 0u);
    RunSummary run = p.summary();
    run.payload_reads = payload_reads;
    m.learn(run, input);
    std::vector<uint8_t> child = input;
    child.resize(4096);
    // Every fourth one by crossing.
    child.resize(i % 4 == 3 ? m.cross_over(input.data(), input.size(), input.data(), input.size(), child.data(), child.size(), i)
                            : m.mutate(child.data(), input.size(), child.size(), i));
    c.moves.push_back(m.last_operators());
    decode_schedule(child, c.children.emplace_back());
    input = child;
  }
  c.statistics = m.statistics();
  return c;
}

// `threads` take two locks in turn, and two positions race.
Campaign campaign(const Options& options, uint32_t children, uint32_t threads = 3, uint64_t payload_reads = 0) {
  Parent p;
  for (uint32_t i = 0; i < 12; ++i) p.add(i % threads, 1 + i, i % 2 ? Kind::mutex_unlock : Kind::mutex_lock, 1 + i % 2);
  if (threads > 1) p.races.push_back({30, 31, 3, 1, 1, {}, {}});
  return campaign(std::move(p), options, children, payload_reads);
}

bool is_walk(const std::string& moves) { return moves.starts_with("walk"); }  // a change of data may follow
bool of_a_system(const std::string& moves) { return is_walk(moves) || moves == "flow" || moves == "unseen" || moves.ends_with("-orders"); }

TEST(Opening, ItsSystemsMakeKnownRacesVisible) {
  const Campaign c = campaign({}, 12);
  for (size_t i = 0; i < c.children.size(); ++i) {
    if (of_a_system(c.moves[i])) EXPECT_EQ(c.children[i].visible_plain.size(), 2u) << c.moves[i];
  }
}

TEST(Opening, SystemsAndMovesTakeTurnsAndThenMovesAndWalks) {
  Options options;
  options.opening = 20;
  const Campaign c = campaign(options, 200);
  const std::vector<std::string> first(c.moves.begin(), c.moves.begin() + 5);
  EXPECT_EQ(first, (std::vector<std::string>{"flow", "unseen", "new-orders", "unseen", "new-orders"}));
  EXPECT_EQ(c.moves[10], "far-orders");
  for (size_t i = 20; i < c.moves.size(); ++i) {
    EXPECT_EQ(c.moves[i] == "walk", i % 2 == 0) << i;
    EXPECT_EQ(of_a_system(c.moves[i]), i % 2 == 0) << i;
  }
  EXPECT_NE(c.statistics.find("\nopening "), std::string::npos) << c.statistics;
}

TEST(Opening, ACycleOfLocksInTheFirstRunComesFirst) {
  Parent p;
  for (const uint32_t thread : {1, 2}) {
    p.add(thread, 10 + thread, Kind::mutex_lock, thread);
    p.add(thread, 20 + thread, Kind::mutex_lock, 3 - thread);
    p.add(thread, 30 + thread, Kind::mutex_unlock, 3 - thread);
    p.add(thread, 40 + thread, Kind::mutex_unlock, thread);
  }
  const Campaign c = campaign(p, {}, 3);
  EXPECT_EQ(c.moves, (std::vector<std::string>{"unseen", "flow", "new-orders"}));
  EXPECT_EQ(c.children[0].elements.size(), 4u);  // both outer locks before both inner ones
}

// A wait that was notified could also end for itself.
TEST(Opening, OutcomesThatNoRunHadComeInBetween) {
  Parent p;
  for (uint32_t i = 0; i < 12; ++i) p.add(i % 3, 1 + i, i % 2 ? Kind::mutex_unlock : Kind::mutex_lock, 1 + i % 2);
  p.add(1, 20, Kind::cond_wake, 3, Outcome::signalled);
  const Campaign c = campaign(p, {}, 12);
  EXPECT_EQ((std::vector<std::string>(c.moves.begin(), c.moves.begin() + 7)),
            (std::vector<std::string>{"flow", "unseen", "outcomes", "new-orders", "unseen", "new-orders", "new-orders"}));
  EXPECT_EQ(c.count("outcomes"), 1u);  // the run never has it, and it is not asked for again
  Options options;
  options.select_weight = 0;
  EXPECT_EQ(campaign(p, options, 60).count("outcomes"), 0u);
}

TEST(Opening, ADeepSearchReturnsToRareStates) {
  const Campaign c = campaign({}, 2200);
  const auto first = std::find(c.moves.begin(), c.moves.end(), "rare-states") - c.moves.begin();
  EXPECT_GE(first, 1024);
  ASSERT_LT(first, 1100);
  // Half of the children, half of these in the place of a walk, until there is nothing new any more.
  const auto walks = std::count(c.moves.begin() + first, c.moves.begin() + first + 40, "walk");
  const auto returns = std::count(c.moves.begin() + first, c.moves.begin() + first + 40, "rare-states");
  EXPECT_EQ(walks, 10);
  EXPECT_EQ(returns, 20);
  EXPECT_EQ(std::count(c.moves.end() - 40, c.moves.end(), "rare-states"), 0);
  EXPECT_EQ(std::count(c.moves.end() - 40, c.moves.end(), "walk"), 20);
  for (size_t i = 0; i < c.moves.size(); ++i) {
    if (c.moves[i] != "rare-states") continue;
    EXPECT_FALSE(c.children[i].elements.empty()) << i;
    EXPECT_EQ(c.children[i].visible_plain.size(), 2u) << i;
  }
}

// random and surw with a pause, places, random, turns, pct without change points with a pause, pos, random
TEST(Opening, WalksTakeTheirWaysInTurns) {
  const Campaign c = campaign({}, 200);
  std::vector<Schedule> met;
  for (size_t i = 0; i < c.moves.size(); ++i) {
    if (c.moves[i] != "walk") continue;
    met.push_back(c.children[i]);
    EXPECT_TRUE(c.children[i].elements.empty() && c.children[i].reads_from.empty()) << i;
  }
  ASSERT_GE(met.size(), 12u);
  using enum StrategyId;
  const StrategyId ways[] = {random_walk, surw, places, random_walk, turns, pct, pos, random_walk};
  const bool pauses[] = {true, true, false, false, false, true, false, false};
  for (size_t i = 0; i < met.size(); ++i) {
    EXPECT_EQ(met[i].strategy, ways[i % 8]) << i;
    EXPECT_EQ(met[i].pct_depth, met[i].strategy == pct ? 1 : 0) << i;
    EXPECT_EQ(met[i].delays.size(), pauses[i % 8] ? 1u : 0u) << i;
  }
}

// All threads wait at one position, until nothing else can run.
TEST(Opening, APauseIsForAllThreadsAtOnePosition) {
  const Campaign c = campaign({}, 400);
  std::set<SiteId> places;
  for (size_t i = 0; i < c.moves.size(); ++i) {
    if (c.moves[i] != "walk") continue;
    for (const Delay& d : c.children[i].delays) {
      EXPECT_EQ(d.what.thread, kAnyThread);
      EXPECT_EQ(d.what.occurrence, 0u);
      EXPECT_EQ(d.until, Element{});
      places.insert(d.what.site);
    }
  }
  EXPECT_GE(places.size(), 6u);
  for (const SiteId site : places) EXPECT_TRUE(site >= 1 && site <= 12) << site;
}

TEST(Opening, CanBeLeftOut) {
  Options options;
  options.opening = 0;
  EXPECT_EQ(campaign(options, 100).opened(), 0u);
}

TEST(Opening, AGroupThatIsSwitchedOffHasNoSystem) {
  Options options;
  options.flow_weight = 0;
  EXPECT_EQ(campaign(options, 100).count("flow"), 0u);
  options.flow_weight = 100;
  options.order_weight = 0;
  EXPECT_EQ(campaign(options, 100).count("new-orders"), 0u);
  EXPECT_EQ(campaign(options, 100).count("unseen"), 0u);
  options.order_weight = 100;
  options.plain_weight = 0;
  EXPECT_EQ(campaign(options, 100).count("walk"), 0u);
}

// With one thread there is one schedule: the opening waits until there is more.
TEST(Opening, NotForRunsOfOneThread) { EXPECT_EQ(campaign({}, 100, 1).opened(), 0u); }

// The systems do not change data bytes. Walks do.
TEST(Opening, TheFirstFiveAndOneInFourIfTheDataAreReadAndWalksChangeThem) {
  Options options;
  options.opening = 20;
  const Campaign c = campaign(options, 400, 3, 1);
  size_t last = 0, least = 400, opened = 0, walks = 0, changed = 0;
  for (size_t i = 0; i < c.moves.size(); ++i) {
    if (!of_a_system(c.moves[i])) continue;
    if (opened > 5 && opened < options.opening) least = std::min(least, i - last);
    last = i;
    ++opened;
    walks += is_walk(c.moves[i]);
    changed += is_walk(c.moves[i]) && c.moves[i] != "walk";
  }
  for (size_t i = 0; i < 5; ++i) EXPECT_TRUE(of_a_system(c.moves[i])) << c.moves[i];
  EXPECT_EQ(least, 4u);
  // After 65 children every second one is a walk again.
  EXPECT_GE(opened, 20u + 335 / 2 - 2);
  EXPECT_LE(opened, 20u + 335 / 2 + 2);
  EXPECT_GE(changed, walks / 2);
  EXPECT_LT(changed, walks);
}

// A run under weak memory is more than an order: `new-orders` has nothing to try there.
TEST(Opening, UnderWeakMemoryGraphsHaveTheTurnsOfOrders) {
  Options options;
  options.opening = 20;
  for (const bool weak : {true, false}) {
    Mutator m(options);
    WeakParent p;
    for (uint32_t t = 1; t <= 2; ++t) p.store(t, 1);
    p.load(2, 1, 0);
    Known known(p);
    if (!weak) known.coherence.clear();
    size_t graphs = 0, orders = 0, later = 0;
    std::vector<uint8_t> input;
    for (uint32_t i = 0; i < 200; ++i) {
      known.hash = hash_input(input);
      m.learn(known.summary(), input);
      std::vector<uint8_t> child = input;
      child.resize(4096);
      child.resize(m.mutate(child.data(), input.size(), child.size(), i));
      const bool graph = m.last_operators().starts_with("graph-");
      (i < options.opening ? graphs : later) += graph;
      orders += m.last_operators() == "new-orders";
      input = child;
    }
    EXPECT_EQ(graphs, weak ? 10u : 0u);  // 2 of the first 5, then every second one
    EXPECT_EQ(later, weak ? 45u : 0u);
    EXPECT_EQ(orders == 0, weak);
  }
}

TEST(Opening, ItsFirstWalkSeesEveryRace) {
  const Campaign c = campaign({}, 12);
  const auto first = std::find(c.moves.begin(), c.moves.end(), "walk");
  ASSERT_NE(first, c.moves.end());
  EXPECT_EQ(c.children[static_cast<size_t>(first - c.moves.begin())].visible_plain, (std::vector<SiteId>{30, 31}));
}

TEST(Opening, WhatFollowsFromItsChildrenLeavesTheStrategyOpen) {
  Options options;
  options.opening = 120;
  const Campaign c = campaign(options, 400, 3, 1);  // with data, moves make three children in four
  uint32_t followed = 0;
  for (size_t i = 1; i < options.opening; ++i) {
    if (!of_a_system(c.moves[i - 1]) || of_a_system(c.moves[i])) continue;
    if (c.moves[i].find("strategy_change") != std::string::npos || c.moves[i].find("cross_over") != std::string::npos) continue;
    ++followed;
    EXPECT_EQ(c.children[i].strategy, StrategyId::automatic) << c.moves[i];
    EXPECT_EQ(c.children[i].surw_site, kNoSite) << c.moves[i];
  }
  EXPECT_GE(followed, 5u);
}

}  // namespace
}  // namespace heddle::mutator
