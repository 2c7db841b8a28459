// Which sets of conditions agree with the runs.
#include "harness/cli/condition_search.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/cli/explicit_schedule.h"

namespace heddle::cli {
namespace {

bool has(const std::vector<ConditionSearch::Set>& sets, const std::vector<size_t>& set, size_t findings) {
  return std::any_of(sets.begin(), sets.end(), [&](const auto& s) { return s.candidates == set && s.findings == findings; });
}

class CauseAndConsequence : public testing::Test {
 protected:
  // 0 and 1 together are the cause, 2 follows from them, 3 is always so, and 4 has nothing to do with it.
  CauseAndConsequence() {
    search_.add({true, true, true, true, false}, true);
    search_.add({true, true, true, true, true}, true);
    search_.add({true, false, false, true, true}, false);
    search_.add({false, true, false, true, false}, false);
  }
  ConditionSearch search_{5};
};

TEST_F(CauseAndConsequence, BothAreEnough) {
  const auto sets = search_.sufficient();
  EXPECT_TRUE(has(sets, {2}, 2));
  EXPECT_TRUE(has(sets, {0, 1}, 2));
  EXPECT_FALSE(has(sets, {0}, 2));
  EXPECT_FALSE(has(sets, {0, 2}, 2));  // 2 is enough alone
}

TEST_F(CauseAndConsequence, ARunWithoutTheFindingSpeaksAgainstASet) {
  EXPECT_EQ(search_.findings_with({2}), 2u);
  EXPECT_EQ(search_.findings_with({0}), 0u);
  search_.add({false, false, true, true, false}, false);
  EXPECT_EQ(search_.findings_with({2}), 0u);
  EXPECT_EQ(search_.findings_with({0, 1}), 2u);
}

TEST_F(CauseAndConsequence, WhatIsSoInEveryRunSaysNothing) {
  EXPECT_EQ(search_.always_with({2}), (std::vector<size_t>{0, 1}));
}

TEST_F(CauseAndConsequence, WhatIsSoInEveryRunIsKnown) {
  EXPECT_EQ(search_.in_all_runs(), (std::vector<size_t>{3}));
  search_.add({true, true, true, false, false}, false);
  EXPECT_TRUE(search_.in_all_runs().empty());
  EXPECT_EQ(search_.findings_with({2}), 0u);
  EXPECT_EQ(search_.best(), (std::vector<size_t>{2, 3}));
}

TEST_F(CauseAndConsequence, ACandidateCanComeLater) {
  search_.add_candidate({true, true, false, false}, 2);
  EXPECT_EQ(search_.weight(5), 2u);
  EXPECT_EQ(search_.findings_with({5}), 2u);
  search_.add({false, false, false, true, false, true}, false);
  EXPECT_EQ(search_.findings_with({5}), 0u);
}

// Many candidates come first that say nothing, and only three of the last are enough.
TEST(ConditionSearch, ASetThatNoFindingMissesIsFoundWhereverItsCandidatesAre) {
  constexpr size_t kMany = 300, kParts = 3;
  ConditionSearch search(kMany + kParts);
  for (size_t run = 0; run < 200; ++run) {
    std::vector<bool> holds;
    for (size_t i = 0; i < kMany; ++i) holds.push_back(i % 3 == 0 || (run * (i + 7) / 5 + i) % 3 != 0);
    for (size_t part = 0; part < kParts; ++part) holds.push_back((run >> part & 1) != 0);
    search.add(holds, (run & 7) == 7);
  }
  EXPECT_EQ(search.best(), (std::vector<size_t>{kMany, kMany + 1, kMany + 2}));
}

Event wait_that(Outcome outcome, uint32_t choice) {
  Event e = {};
  e.site = 10;
  e.kind = Kind::cond_wake;
  e.occurrence = 1;
  e.done = 1;
  e.outcome = outcome;
  e.choice = choice;
  return e;
}

// The choice says that the wait may end early. A notification can come before.
TEST(OutcomeOfAWait, IsEarlyOnlyIfItWasNotNotified) {
  EXPECT_EQ(outcome_of(wait_that(Outcome::spurious, 1)), 1);
  EXPECT_EQ(outcome_of(wait_that(Outcome::signalled, 1)), 0);
  EXPECT_EQ(outcome_of(wait_that(Outcome::signalled, 0)), 0);
}

// The finding has another way to it, too, so no set is in all findings.
TEST(ConditionSearch, OneOfSeveralWaysIsFoundWhereverItsCandidatesAre) {
  constexpr size_t kMany = 60, kParts = 4;
  ConditionSearch search(kMany + kParts);
  uint64_t state = 1;
  const auto chance = [&](uint64_t one_in) { return ((state = state * 6364136223846793005u + 1442695040888963407u) >> 33) % one_in == 0; };
  for (size_t run = 0; run < 600; ++run) {
    std::vector<bool> holds;
    for (size_t i = 0; i < kMany; ++i) holds.push_back(!chance(4));
    bool all = true;
    for (size_t part = 0; part < kParts; ++part) holds.push_back(chance(2)), all = all && holds.back();
    search.add(holds, all || chance(20));
  }
  EXPECT_EQ(search.best(), (std::vector<size_t>{kMany, kMany + 1, kMany + 2, kMany + 3}));
}

// If all other threads wait, time passes without a choice. A schedule need not demand it.
TEST(OutcomeOfAWait, ATimeOutIsObservedHoweverItCame) {
  EXPECT_EQ(outcome_of(wait_that(Outcome::timeout, 0)), 0);
  EXPECT_EQ(observed_outcome(wait_that(Outcome::timeout, 0)), 1);
  EXPECT_EQ(observed_outcome(wait_that(Outcome::timeout, 1)), 1);
}

}  // namespace
}  // namespace heddle::cli
