// The opening of `mixed` (mutator/modes/opening.h): which of its first children other modes' systems make.
#include "mutator/modes/opening.h"

#include <gtest/gtest.h>

#include <algorithm>
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
  size_t opened() const { return count("surw") + count("flow") + count("gopie-hb"); }
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

bool of_a_system(const std::string& moves) { return moves == "surw" || moves == "flow" || moves == "gopie-hb"; }

TEST(Opening, ItsSystemsMakeKnownRacesVisible) {
  const Campaign c = campaign({}, 12);
  for (size_t i = 0; i < c.children.size(); ++i) {
    if (of_a_system(c.moves[i])) EXPECT_EQ(c.children[i].visible_plain.size(), 2u) << c.moves[i];
  }
}

TEST(Opening, SystemsAndMovesTakeTurnsAndThenTheMovesGoOnAlone) {
  Options options;
  options.opening = 20;
  const Campaign c = campaign(options, 200);
  EXPECT_EQ(c.moves[0], "flow");
  EXPECT_EQ(c.moves[1], "surw");
  for (const char* name : {"surw", "flow", "gopie-hb"}) EXPECT_GE(c.count(name), 4u) << name;
  EXPECT_GE(static_cast<size_t>(20) - c.opened(), 7u);
  for (size_t i = 20; i < c.moves.size(); ++i) EXPECT_FALSE(of_a_system(c.moves[i])) << i;
  EXPECT_NE(c.statistics.find("\nopening "), std::string::npos) << c.statistics;
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
  options.order_weight = 100;
  options.plain_weight = 0;
  EXPECT_EQ(campaign(options, 100).count("surw"), 0u);
}

// With one thread there is one schedule: the opening waits until there is more.
TEST(Opening, NotForRunsOfOneThread) { EXPECT_EQ(campaign({}, 100, 1).opened(), 0u); }

// The systems do not change data bytes.
TEST(Opening, NoTwoInARowIfTheDataAreRead) {
  Options options;
  options.opening = 20;
  const Campaign c = campaign(options, 200, 3, 1);
  EXPECT_GE(c.opened(), 8u);
  for (size_t i = 1; i < c.moves.size(); ++i) EXPECT_FALSE(of_a_system(c.moves[i - 1]) && of_a_system(c.moves[i])) << i;
}

TEST(Opening, ItsChildOfSurwSeesEveryRace) {
  const Campaign c = campaign({}, 2);
  ASSERT_EQ(c.moves[1], "surw");
  EXPECT_EQ(c.children[1].strategy, StrategyId::surw);
  EXPECT_EQ(c.children[1].visible_plain, (std::vector<SiteId>{30, 31}));
}

TEST(Opening, WhatFollowsFromItsChildrenLeavesTheStrategyOpen) {
  Options options;
  options.opening = 60;
  const Campaign c = campaign(options, 200);
  uint32_t followed = 0;
  for (size_t i = 1; i < c.moves.size(); ++i) {
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
