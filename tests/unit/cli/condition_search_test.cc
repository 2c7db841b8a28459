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

// If all other threads wait, time passes without a choice. A schedule need not demand it.
TEST(OutcomeOfAWait, ATimeOutIsObservedHoweverItCame) {
  EXPECT_EQ(outcome_of(wait_that(Outcome::timeout, 0)), 0);
  EXPECT_EQ(observed_outcome(wait_that(Outcome::timeout, 0)), 1);
  EXPECT_EQ(observed_outcome(wait_that(Outcome::timeout, 1)), 1);
}

}  // namespace
}  // namespace heddle::cli
