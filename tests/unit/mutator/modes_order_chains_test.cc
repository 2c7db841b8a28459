// The rules on chains and what filters them: docs/design/gopie.md#mutation, and the worked example there.
#include <gtest/gtest.h>

#include <algorithm>

#include "modes_order_runs.h"
#include "mutator/knowledge/energy.h"
#include "mutator/modes/order_cut.h"
#include "mutator/modes/order_mutation.h"
#include "mutator/modes/order_start.h"

namespace heddle::mutator {
namespace {

using Rule = void (*)(const OrderSource&, const EventChain&, Rng&, std::vector<EventChain>&);

bool derives(const OrderSource& source, const EventChain& from, Rule rule, const EventChain& to) {
  for (uint64_t seed = 0; seed < 64; ++seed) {
    Rng rng(seed);
    std::vector<EventChain> chains;
    rule(source, from, rng, chains);
    if (std::find(chains.begin(), chains.end(), to) != chains.end()) return true;
  }
  return false;
}

std::vector<EventChain> mutants(const OrderSource& source, const EventChain& start, uint32_t count, Rng& rng) {
  Mutants all(source, start, count);
  std::vector<EventChain> out;
  for (EventChain c; all.next(c, rng);) out.push_back(c);
  return out;
}

TEST(OrderModeChains, TheFiveStepsOfKubernetes) {
  const Kubernetes run;
  for (const OrderRules* rules : {&kGoPiePlus, &kGoPieHb}) {
    const OrderSource s = run.source(*rules);
    const uint32_t g2_18 = run.at(2, 18), g2_19 = run.at(2, 19), g3_17 = run.at(3, 17);
    const uint32_t g1_11 = run.at(1, 11), g1_12 = run.at(1, 12);
    EXPECT_TRUE(derives(s, {g2_19, g1_11}, substitute_chain, {g2_18, g1_11}));
    EXPECT_TRUE(derives(s, {g2_18, g1_11}, substitute_chain, {g2_18, g1_12}));
    EXPECT_TRUE(derives(s, {g2_18, g1_12}, augment_chain, {g2_18, g1_12, g3_17}));
    EXPECT_TRUE(derives(s, {g2_18, g1_12, g3_17}, flip_chain, {g2_18, g3_17, g1_12}));
    EXPECT_TRUE(derives(s, {g2_18, g3_17, g1_12}, substitute_chain, {g2_18, g3_17, g1_11}));
    EXPECT_FALSE(derives(s, {g2_18, g1_12}, flip_chain, {g2_18, g3_17}));
  }
}

TEST(OrderModeChains, TheChainOfKubernetesPassesTheFilter) {
  const Kubernetes run;
  const OrderSource s = run.source(kGoPieHb);
  const EventChain chain{run.at(2, 18), run.at(3, 17), run.at(1, 11)};
  EXPECT_TRUE(respects_must_order(s, chain));
  // G3 has the lock and no thread receives, G1 waits for the lock: no thread is held, so this is the bug and no obstacle.
  EXPECT_TRUE(check_cut(s, chain).feasible);
}

TEST(OrderModeChains, AForwardChainOfFourIsValid) {
  OrderRun run;
  for (uint32_t i = 0; i < 4; ++i) run.add(1 + i % 2, 10 + i, Kind::atomic_store, 1);
  const OrderSource s = run.source(kGoPieHb);
  EXPECT_TRUE(respects_must_order(s, {0, 1, 2, 3}));
  EXPECT_TRUE(respects_must_order(s, {1, 0, 3, 2}));
  EXPECT_FALSE(respects_must_order(s, {2, 1, 0}));  // positions 0 and 2: not neighbours
  EXPECT_FALSE(respects_must_order(s, {0, 3, 2, 1}));
}

TEST(OrderModeChains, CreationIsMustOrderAndALockIsNot) {
  OrderRun run = TwoSections();
  EXPECT_TRUE(respects_must_order(run.source(kGoPieHb), {run.at(2, 21), run.at(1, 12)}));
  run.threads[2].parent = 1;
  run.threads[2].create_event = run.at(1, 12);
  EXPECT_FALSE(respects_must_order(run.source(kGoPieHb), {run.at(2, 21), run.at(1, 12)}));
}

TEST(OrderModeChains, AFlippedSectionMovesTheCutBeforeTheLock) {
  const TwoSections run;
  const OrderSource s = run.source(kGoPieHb);
  const uint32_t lock1 = run.at(1, 11), unlock1 = run.at(1, 12), lock2 = run.at(2, 21);
  EventChain chain{lock2, unlock1};
  const CutVerdict verdict = check_cut(s, chain);
  EXPECT_FALSE(verdict.feasible);  // at the unlock, thread 1 has the lock
  EXPECT_EQ(verdict.acquisition, lock1);
  ASSERT_TRUE(make_feasible(s, chain));
  EXPECT_EQ(chain, (EventChain{lock2, lock1, unlock1}));
  EventChain whole{run.at(2, 22), lock1};
  EXPECT_TRUE(check_cut(s, whole).feasible);
  EventChain backwards{run.at(2, 22), unlock1};
  ASSERT_TRUE(make_feasible(s, backwards));
  EXPECT_EQ(backwards, (EventChain{run.at(2, 22), lock1, unlock1}));
}

TEST(OrderModeChains, WhatCannotBeEnforcedFromAnyCut) {
  // The second thread is made under the lock of the first.
  OrderRun run;
  run.add(1, 11, Kind::mutex_lock, 1);
  run.add(1, 13, Kind::thread_create, 3);
  const uint32_t create = run.last();
  run.add(1, 12, Kind::mutex_unlock, 1);
  run.add(2, 21, Kind::mutex_lock, 1);
  run.threads[2].parent = 1;
  run.threads[2].create_event = create;
  EventChain chain{run.at(2, 21), run.at(1, 12)};
  EXPECT_FALSE(make_feasible(run.source(kGoPieHb), chain));
  EXPECT_EQ(chain.size(), 2u);
}

TEST(OrderModeChains, TheCrossingOfALockCycleIsFeasible) {
  OrderRun run;
  run.add(1, 11, Kind::mutex_lock, 1);
  run.add(1, 12, Kind::mutex_lock, 2);
  run.add(1, 13, Kind::mutex_unlock, 2);
  run.add(1, 14, Kind::mutex_unlock, 1);
  run.add(2, 21, Kind::mutex_lock, 2);
  run.add(2, 22, Kind::mutex_lock, 1);
  run.add(2, 23, Kind::mutex_unlock, 1);
  run.add(2, 24, Kind::mutex_unlock, 2);
  const OrderSource s = run.source(kGoPieHb);
  const auto specials = special_chains(s);
  const EventChain crossing{run.at(1, 11), run.at(2, 21), run.at(1, 12), run.at(2, 22)};
  EXPECT_EQ(std::count(specials.begin(), specials.end(), crossing), 1);
  EXPECT_TRUE(check_cut(s, crossing).feasible);
}

TEST(OrderModeChains, SameThreadNeighboursStayInProgramOrder) {
  OrderRun run;
  run.add(1, 10, Kind::atomic_store, 1);
  run.add(2, 20, Kind::atomic_load, 1);
  run.add(1, 11, Kind::atomic_store, 1);
  const OrderSource s = run.source(kGoPiePlus);
  EXPECT_TRUE(derives(s, {0, 1, 2}, flip_chain, {1, 0, 2}));
  EXPECT_TRUE(derives(s, {0, 1, 2}, flip_chain, {0, 2, 1}));
  EXPECT_FALSE(derives(s, {1, 0, 2}, flip_chain, {1, 2, 0}));
}

TEST(OrderModeChains, EnergyIsInProportion) {
  OrderRun run;
  for (uint32_t i = 0; i < 40; ++i) run.add(1 + i % 3, 10 + i, Kind::mutex_lock, 1 + i % 2);
  for (const OrderRules* rules : {&kGoPie, &kGoPiePlus, &kGoPieHb}) {
    const OrderSource s = run.source(*rules);
    Rng rng(1);
    const EventChain start{0, 1};
    EXPECT_EQ(mutants(s, start, children_for(10, 10, kMutateBound), rng).size(), 128u);
    EXPECT_EQ(mutants(s, start, children_for(5, 10, kMutateBound), rng).size(), 64u);
    EXPECT_EQ(mutants(s, start, children_for(0.1, 10, kMutateBound), rng).size(), 2u);
  }
}

TEST(OrderModeChains, TheLoopEndsWhereThereIsNothingNew) {
  OrderRun run;
  run.add(1, 10, Kind::atomic_store, 1);
  run.add(2, 20, Kind::atomic_load, 1);
  const OrderSource s = run.source(kGoPiePlus);
  Rng rng(3);
  // <a>, <b>, <a, b>, <b, a>: no other chain has each at most once.
  EXPECT_EQ(mutants(s, {0, 1}, kMutateBound, rng).size(), 4u);
}

TEST(OrderModeChains, BoundsOfLength) {
  OrderRun run;
  for (uint32_t i = 0; i < 60; ++i) run.add(1 + i % 3, 10 + i, Kind::mutex_lock, 1);
  size_t longest[2] = {};
  for (int plus = 0; plus < 2; ++plus) {
    const OrderSource s = run.source(plus ? kGoPiePlus : kGoPie);
    for (uint64_t seed = 0; seed < 20; ++seed) {
      Rng rng(seed);
      // From the longest that may still grow.
      EventChain start;
      for (uint32_t i = 0; i < s.rules().bound; ++i) start.push_back(i);
      for (const EventChain& c : mutants(s, start, 500, rng)) longest[plus] = std::max(longest[plus], c.size());
    }
  }
  EXPECT_EQ(longest[0], 4u);
  EXPECT_EQ(longest[1], 10u);
}

TEST(OrderModeChains, EachStartsWithDifferentChains) {
  OrderRun run;
  for (uint32_t i = 0; i < 60; ++i) run.add(1 + i % 3, 10 + i, Kind::mutex_lock, 1 + i % 2);
  for (const OrderRules* rules : {&kGoPie, &kGoPiePlus, &kGoPieHb}) {
    const OrderSource s = run.source(*rules);
    Rng rng(5);
    std::vector<EventChain> chains = start_chains(s, rng);
    EXPECT_EQ(chains.size(), kStartChains);
    for (const EventChain& c : chains) {
      ASSERT_GE(c.size(), 2u);
      EXPECT_LE(c.size(), rules->happens_before ? kStartRounds + 1 : 2u);
      for (size_t i = 1; i < c.size(); ++i) EXPECT_NE(run.events[c[i - 1]].thread, run.events[c[i]].thread);
    }
    std::sort(chains.begin(), chains.end());
    EXPECT_EQ(std::adjacent_find(chains.begin(), chains.end()), chains.end());
  }
}

TEST(OrderModeChains, ACrowdAtTwoPlacesDoesNotDrownOnePairElsewhere) {
  OrderRun run;
  run.add(3, 30, Kind::atomic_store, 2);
  for (uint32_t i = 0; i < 400; ++i) run.add(1 + i % 2, 10 + i % 2, Kind::atomic_rmw, 1);
  run.add(4, 40, Kind::atomic_load, 2);
  for (const OrderRules* rules : {&kGoPiePlus, &kGoPieHb}) {
    const OrderSource s = run.source(*rules);
    for (uint64_t seed = 0; seed < 20; ++seed) {
      Rng rng(seed);
      const std::vector<EventChain> chains = start_chains(s, rng);
      EXPECT_TRUE(std::any_of(chains.begin(), chains.end(), [](const EventChain& c) { return c.contains(0) && c.contains(401); })) << seed;
    }
  }
}

TEST(OrderModeChains, GoPieSeesNoAtomicsAndNothingUnfinished) {
  OrderRun run;
  run.add(1, 10, Kind::mutex_lock, 1);
  run.add(1, 11, Kind::atomic_store, 2);
  run.add(1, 12, Kind::mutex_unlock, 1);
  run.add(2, 20, Kind::atomic_load, 2);
  run.blocked(2, 21, Kind::mutex_lock, 1);
  const OrderSource gopie = run.source(kGoPie), plus = run.source(kGoPiePlus);
  Rng rng(1);
  EXPECT_EQ(gopie.neighbours(0), EventChain{2});  // what GoPie ignores is not between them
  EXPECT_EQ(plus.neighbours(0), EventChain{1});
  EXPECT_EQ(gopie.related(0, 9, rng), std::vector<uint32_t>{});
  EXPECT_EQ(plus.related(0, 9, rng), std::vector<uint32_t>{4});
  EXPECT_TRUE(start_chains(gopie, rng).empty());
  EXPECT_FALSE(start_chains(plus, rng).empty());
}

}  // namespace
}  // namespace heddle::mutator
