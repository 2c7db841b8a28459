// The opening of `mixed` (mutator/modes/opening.h): which of its first children other modes' systems make.
#include "mutator/modes/opening.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "parent.h"
#include "schema/codec.h"

namespace heddle::mutator {
namespace {

struct Campaign {
  std::vector<std::string> moves;  // of each child
  std::vector<Schedule> children;
  std::string statistics;

  size_t count(std::string_view name) const { return static_cast<size_t>(std::count(moves.begin(), moves.end(), name)); }
  size_t opened() const { return count("walk") + count("flow") + count("unseen") + count("gopie-hb"); }
};

// Every child is the next parent, as libFuzzer mostly does it. `threads` take two locks in turn, and two positions race.
Campaign campaign(const Options& options, uint32_t children, uint32_t threads = 3, uint64_t payload_reads = 0) {
  Mutator m(options);
  Parent p;
  for (uint32_t i = 0; i < 12; ++i) p.add(i % threads, 1 + i, i % 2 ? Kind::mutex_unlock : Kind::mutex_lock, 1 + i % 2);
  if (threads > 1) p.races.push_back({30, 31, 3, 1, 1, {}, {}});
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

bool of_a_system(const std::string& moves) { return moves == "walk" || moves == "flow" || moves == "unseen" || moves == "gopie-hb"; }

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
  EXPECT_EQ(first, (std::vector<std::string>{"flow", "unseen", "walk", "unseen", "gopie-hb"}));
  for (size_t i = 20; i < c.moves.size(); ++i) {
    EXPECT_EQ(c.moves[i] == "walk", i % 2 == 0) << i;
    EXPECT_EQ(of_a_system(c.moves[i]), i % 2 == 0) << i;
  }
  EXPECT_NE(c.statistics.find("\nopening "), std::string::npos) << c.statistics;
}

// surw, random, surw, pos, pct
TEST(Opening, WalksTakeTheStrategiesInTurns) {
  const Campaign c = campaign({}, 200);
  std::vector<StrategyId> met;
  for (size_t i = 0; i < c.moves.size(); ++i) {
    if (c.moves[i] != "walk") continue;
    met.push_back(c.children[i].strategy);
    EXPECT_TRUE(c.children[i].elements.empty() && c.children[i].reads_from.empty()) << i;
  }
  ASSERT_GE(met.size(), 10u);
  EXPECT_EQ(met[0], StrategyId::surw);
  for (size_t i = 5; i < met.size(); ++i) EXPECT_EQ(met[i], met[i - 5]);
  EXPECT_EQ(std::set<StrategyId>(met.begin(), met.end()).size(), 4u);
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
  EXPECT_EQ(campaign(options, 100).count("gopie-hb"), 0u);
  EXPECT_EQ(campaign(options, 100).count("unseen"), 0u);
  options.order_weight = 100;
  options.plain_weight = 0;
  EXPECT_EQ(campaign(options, 100).count("walk"), 0u);
}

// With one thread there is one schedule: the opening waits until there is more.
TEST(Opening, NotForRunsOfOneThread) { EXPECT_EQ(campaign({}, 100, 1).opened(), 0u); }

// The systems do not change data bytes.
TEST(Opening, OneInFourIfTheDataAreReadAndThenOneInEight) {
  Options options;
  options.opening = 20;
  const Campaign c = campaign(options, 200, 3, 1);
  size_t last = 0, least = 200;
  for (size_t i = 1; i < c.moves.size(); ++i) {
    if (!of_a_system(c.moves[i])) continue;
    if (last != 0) least = std::min(least, i - last);
    last = i;
  }
  EXPECT_EQ(least, 4u);
  EXPECT_LE(c.opened(), 200u / 4);
  EXPECT_GE(c.opened(), 200u / 8);
}

TEST(Opening, ItsFirstWalkSeesEveryRace) {
  const Campaign c = campaign({}, 3);
  ASSERT_EQ(c.moves[2], "walk");
  EXPECT_EQ(c.children[2].strategy, StrategyId::surw);
  EXPECT_EQ(c.children[2].visible_plain, (std::vector<SiteId>{30, 31}));
}

TEST(Opening, WhatFollowsFromItsChildrenLeavesTheStrategyOpen) {
  Options options;
  options.opening = 120;
  const Campaign c = campaign(options, 200);
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
