// What an explanation says.
#include "harness/cli/explanation_text.h"

#include <gtest/gtest.h>

#include <set>

#include "harness/cli/condition_candidates.h"
#include "harness/cli/repaired.h"
#include "tests/unit/cli/stored_event.h"

namespace heddle::cli {
namespace {

Explanation counted(size_t findings, size_t runs) {
  Explanation e;
  e.found = true;
  e.conditions.push_back(Order{Element{.thread = kMainThread, .site = 1, .occurrence = 1, .kind = Kind::atomic_load},
                               Element{.thread = child_thread(kMainThread, 0), .site = 2, .occurrence = 1, .kind = Kind::atomic_store}});
  e.with = {runs, findings};
  e.opposite.resize(1);
  return e;
}

bool has_order(const std::vector<Condition>& candidates, SiteId first, SiteId second) {
  return std::any_of(candidates.begin(), candidates.end(), [&](const Condition& c) {
    const Order* const order = std::get_if<Order>(&c);
    return order != nullptr && order->first.site == first && order->second.site == second;
  });
}

TEST(Explanation, AGuessIsRefutedIfTheFindingMostlyDidNotCome) {
  EXPECT_TRUE(counted(0, 1).refuted());
  EXPECT_TRUE(counted(5, 10).refuted());
  EXPECT_FALSE(counted(6, 10).refuted());
  EXPECT_FALSE(counted(10, 10).refuted());
  EXPECT_FALSE(counted(0, 0).refuted());  // it was not counted
}

// The symbolizer may know a file without a line.
TEST(Explanation, WithoutLinesOperationsHaveTheirSymbols) {
  SiteNames names;
  names.add(1, {"/src/a.cc:0", "ns::work", "_ZN2ns4workEv+0x1c"});
  names.add(2, {"/src/a.cc:0", "work", "work+0x2c"});
  const std::string text = explanation_text(counted(10, 10), names, {});
  EXPECT_NE(text.find("the load at ns::work+0x1c (main) comes before the store at work+0x2c (main.0)"), std::string::npos) << text;
}

class TwoThreads : public testing::Test {
 protected:
  TwoThreads() {
    run_.threads.resize(2);
    run_.threads[0].id = kMainThread;
    run_.threads[1].id = child_thread(kMainThread, 0);
    run_.objects.resize(2);
    run_.objects[1].id = 7;
  }
  uint32_t add(uint32_t thread, Kind kind, SiteId site, uint32_t partner = kNoEvent) {
    Event e = {};
    e.thread = thread;
    e.kind = kind;
    e.site = site;
    e.object = 1;
    e.occurrence = 1;
    e.done = static_cast<uint32_t>(run_.events.size()) + 1;
    e.partner = partner;
    run_.events.push_back(e);
    return e.done - 1;
  }
  StoredTrace run_;
};

// "The unlock before the lock" is the same order. One of them is enough, so that three sections are two orders around one operation.
TEST_F(TwoThreads, AnOrderOfSectionsIsThatOfTheirLocks) {
  add(0, Kind::mutex_lock, 10);
  add(0, Kind::mutex_unlock, 11);
  add(1, Kind::mutex_lock, 20);
  add(1, Kind::mutex_unlock, 21);
  add(0, Kind::mutex_lock, 12);
  add(0, Kind::mutex_unlock, 13);
  const std::vector<Condition> candidates = candidates_of(run_, {}, {});
  EXPECT_TRUE(has_order(candidates, 10, 20));
  EXPECT_TRUE(has_order(candidates, 20, 12));
  for (const SiteId unlock : {11, 13, 21}) {
    EXPECT_FALSE(has_order(candidates, unlock, 20)) << unlock;
    EXPECT_FALSE(has_order(candidates, unlock, 12)) << unlock;
  }
}

// What main does before it creates the thread comes first in every run. In some the thread does nothing at all, and then such
// an order would only say that.
TEST_F(TwoThreads, WhatComesBeforeTheThreadIsCreatedIsNoCandidate) {
  add(0, Kind::atomic_store, 10);
  run_.threads[0].create_event = kNoEvent;
  run_.threads[1].create_event = add(0, Kind::thread_create, 11);
  add(0, Kind::atomic_store, 12);
  add(1, Kind::atomic_load, 20);
  const std::vector<Condition> candidates = candidates_of(run_, {}, {});
  EXPECT_FALSE(has_order(candidates, 10, 20));
  EXPECT_TRUE(has_order(candidates, 12, 20));
}

// Who has looked at the clock before the end of a sleep has an old time.
TEST_F(TwoThreads, WhatComesBeforeTheEndOfASleepIsACandidate) {
  add(1, Kind::atomic_store, 20);
  add(0, Kind::sleep, 10);
  EXPECT_TRUE(has_order(candidates_of(run_, {}, {}), 20, 10));
}

// A lock that times out begins no section, though it does in another run.
TEST_F(TwoThreads, ALockThatTimesOutIsNoSection) {
  StoredTrace passing = run_;
  add(1, Kind::mutex_lock, 20);
  add(0, Kind::mutex_timedlock, 10);
  add(1, Kind::mutex_unlock, 21);
  run_.events[1].outcome = Outcome::timeout;
  std::swap(run_, passing);
  add(0, Kind::mutex_timedlock, 10);
  add(0, Kind::mutex_unlock, 11);
  add(1, Kind::mutex_lock, 20);
  add(1, Kind::mutex_unlock, 21);
  std::swap(run_, passing);
  EXPECT_TRUE(has_order(candidates_of(run_, {}, {passing}), 10, 21));
}

// Threads that read at the same time have no order of their sections, only one of their operations.
TEST_F(TwoThreads, SectionsOfReadersCanOverlap) {
  add(0, Kind::rwlock_rdlock, 10);
  add(1, Kind::rwlock_rdlock, 20);
  add(0, Kind::rwlock_unlock, 11);
  add(1, Kind::rwlock_unlock, 21);
  EXPECT_TRUE(has_order(candidates_of(run_, {}, {}), 20, 11));
}

TEST_F(TwoThreads, OnlyAThreadThatDoesTheSameCanHaveAPart) {
  add(0, Kind::atomic_load, 10);
  add(1, Kind::atomic_store, 20);
  const std::vector<Condition> late_load = {Order{element_of(run_, run_.events[1]), element_of(run_, run_.events[0])}};
  const RunIndex index(run_, true);
  RunIndex::Doers doers;
  doers.add(index);
  EXPECT_FALSE(index.holds_for_some_threads(late_load, doers));  // not because main never comes to a store
  StoredTrace other = run_;
  other.events[0].thread = 1;
  other.events[1].thread = 0;
  const RunIndex exchanged(other, true);
  doers.add(exchanged);
  const std::vector<Condition> early_load = {Order{element_of(run_, run_.events[0]), element_of(run_, run_.events[1])}};
  EXPECT_FALSE(exchanged.holds(early_load));
  EXPECT_TRUE(exchanged.holds_for_some_threads(early_load, doers));
}

// Two threads wait at different positions, and the last notification wakes one of them.
class TwoWaiters : public TwoThreads {
 protected:
  TwoWaiters() {
    run_.threads.resize(3);
    run_.threads[2].id = child_thread(kMainThread, 1);
    add(1, Kind::cond_wait, 10);
    add(2, Kind::cond_wait, 20);
    const uint32_t signal = add(0, Kind::cond_signal, 30);
    add(1, Kind::cond_wake, 10, signal);
    add(1, Kind::mutex_lock, 11);
  }
  void wait_until_the_end(uint32_t thread, SiteId site) { run_.events[add(thread, Kind::cond_wake, site)].done = 0; }
};

TEST_F(TwoWaiters, TheWrongOneIsWoken) {
  add(1, Kind::cond_wait, 10);
  wait_until_the_end(1, 10);
  wait_until_the_end(2, 20);
  const std::vector<LastWakeAt> wakes = last_wakes(run_);
  ASSERT_EQ(wakes.size(), 1u);
  EXPECT_EQ(wakes[0].wake, (LastWake{.woken = 10, .passed_over = 20}));
  EXPECT_EQ(run_.events[wakes[0].notification].site, 30u);
  const RunIndex index(run_, true);
  EXPECT_TRUE(index.holds(LastWake{.woken = 10, .passed_over = 20}));
  EXPECT_FALSE(index.holds(LastWake{.woken = 20, .passed_over = 10}));
  EXPECT_TRUE(index.holds(LastWake{.woken = 20, .passed_over = 10, .woken_anywhere = true, .passed_over_anywhere = true}));
  EXPECT_FALSE(index.holds(LastWake{.woken = 10, .passed_over = 11, .woken_anywhere = true}));
}

TEST_F(TwoWaiters, TheWrongOneGoesOnPolling) {
  add(1, Kind::cond_wait, 10);
  for (int round = 0; round < 2; ++round) {
    run_.events[add(1, Kind::cond_wake, 10)].outcome = Outcome::timeout;
    EXPECT_EQ(last_wakes(run_).size(), 1u);  // the run can end here
    add(1, Kind::mutex_lock, 11);
    add(1, Kind::cond_wait, 10);
    EXPECT_EQ(last_wakes(run_).size(), 1u);
  }
}

// Its state has changed: it waits for something new.
TEST_F(TwoWaiters, TheRightOneIsWokenIfItDoesSomethingBeforeItWaitsAgain) {
  add(1, Kind::atomic_store, 12);
  add(1, Kind::cond_wait, 10);
  wait_until_the_end(1, 10);
  wait_until_the_end(2, 20);
  EXPECT_TRUE(last_wakes(run_).empty());
}

TEST_F(TwoWaiters, TheNextNotificationMakesItGood) {
  add(1, Kind::cond_wait, 10);
  const uint32_t signal = add(0, Kind::cond_signal, 30);
  add(2, Kind::cond_wake, 20, signal);
  wait_until_the_end(1, 10);
  EXPECT_TRUE(last_wakes(run_).empty());
}

TEST_F(TwoWaiters, WhoWaitsSinceThenWasNotPassedOver) {
  const uint32_t signal = add(0, Kind::cond_signal, 30);
  add(2, Kind::cond_wake, 20, signal);
  add(2, Kind::mutex_lock, 21);
  add(2, Kind::cond_wait, 20);
  add(1, Kind::cond_wait, 10);
  wait_until_the_end(1, 10);
  wait_until_the_end(2, 20);
  EXPECT_TRUE(last_wakes(run_).empty());
}

TEST_F(TwoThreads, WhatAReadSawOfAnotherThreadIsACandidate) {
  const uint32_t store = add(1, Kind::atomic_store, 20);
  add(0, Kind::atomic_load, 10, store);
  const std::vector<Condition> candidates = candidates_of(run_, {}, {});
  EXPECT_TRUE(std::any_of(candidates.begin(), candidates.end(), [](const Condition& c) {
    const ReadsFrom* const reads = std::get_if<ReadsFrom>(&c);
    return reads != nullptr && reads->read.site == 10 && reads->write.site == 20 && reads->negative == 0;
  }));
}

// A free is no operation: that another thread has freed the block is only seen by what it did before.
TEST(Explanation, WhatAnotherThreadDidLastBeforeTheFindingIsACandidate) {
  StoredTrace run;
  run.threads.resize(2);
  run.threads[0].id = kMainThread;
  run.threads[1].id = child_thread(kMainThread, 0);
  run.objects.resize(3);
  const auto add = [&](uint32_t thread, SiteId site, Kind kind, uint32_t object, uint32_t done) {
    run.events.push_back(stored_event(thread, site, kind, done));
    run.events.back().object = object;
  };
  add(1, 10, Kind::atomic_rmw, 1, 1);
  add(1, 11, Kind::thread_exit, 2, 2);
  add(0, 12, Kind::yield, 0, 3);
  add(0, 13, Kind::atomic_rmw, 0, 0);  // the access to what is freed: not done
  EXPECT_TRUE(has_order(candidates_of(run, {}, {}), 10, 13));
}

// Such as a select that sends on a closed channel: the run ended before it was recorded.
TEST(Explanation, TheChoiceOfAnOperationThatFailsIsACandidate) {
  StoredTrace run;
  run.threads.resize(1);
  run.threads[0].id = kMainThread;
  run.objects.resize(1);
  Event e = {};
  e.site = 10;
  e.kind = Kind::select;
  e.occurrence = 1;
  e.choice = 1;
  e.partner = kNoEvent;
  run.events.push_back(e);
  EXPECT_TRUE(candidates_of(run, {}, {}).empty());  // what it would have chosen is not known
  run.events[0].outcome = Outcome::failure;
  const std::vector<Condition> candidates = candidates_of(run, {}, {});
  ASSERT_EQ(candidates.size(), 1u);
  const auto* const choice = std::get_if<SelectPreference>(&candidates[0]);
  ASSERT_NE(choice, nullptr);
  EXPECT_EQ(choice->choice, 1);
  EXPECT_TRUE(RunIndex(run, true).holds(candidates[0]));
}

// A recursive read lock: main has read, the writer waits for it, and stops main's second read lock. Whoever came first to the lock.
TEST_F(TwoThreads, AWriterBeforeTheReaderThatItStopsIsACandidate) {
  for (const Kind taken : {Kind::rwlock_rdlock, Kind::rwlock_wrlock}) {
    run_.events.clear();
    const auto add_at = [&](uint32_t thread, Kind kind, SiteId site, uint32_t req, uint32_t done) {
      Event& e = run_.events[add(thread, kind, site)];
      e.req = req;
      e.done = done;
      e.flags = done != 0 ? 0 : kEventContended;
    };
    add_at(0, taken, 10, 1, 2);
    add_at(0, Kind::rwlock_rdlock, 11, 3, 0);
    add_at(1, Kind::rwlock_wrlock, 12, 4, 0);
    const bool found = has_order(candidates_of(run_, {}, {}), 12, 11);
    EXPECT_EQ(found, taken == Kind::rwlock_rdlock);  // else both wait for the one that has written
  }
}

// A loop that tries again for ever has a million outcomes.
TEST(Explanation, OfManyOutcomesTheFirstAndTheLastAreCandidates) {
  constexpr uint32_t kMany = 10'000;
  StoredTrace run;
  run.threads.resize(1);
  run.threads[0].id = kMainThread;
  run.objects.resize(1);
  for (uint32_t i = 1; i <= kMany; ++i) {
    Event e = {};
    e.site = 10;
    e.kind = Kind::atomic_cas;
    e.occurrence = i;
    e.outcome = Outcome::failure;
    e.partner = kNoEvent;
    e.done = i;
    run.events.push_back(e);
  }
  std::set<uint32_t> instances;
  const std::vector<Condition> candidates = candidates_of(run, {}, {});
  for (const Condition& candidate : candidates) {
    if (const auto* const choice = std::get_if<SelectPreference>(&candidate)) instances.insert(choice->instance);
  }
  EXPECT_TRUE(instances.contains(1));
  EXPECT_TRUE(instances.contains(kMany));
  EXPECT_LT(candidates.size(), 500u);
}

class WaitInVain : public testing::Test {
 protected:
  WaitInVain() {
    for (StoredTrace* run : {&finding_, &passing_}) {
      run->threads.resize(2);
      run->threads[0].id = kMainThread;
      run->threads[1].id = child_thread(kMainThread, 0);
      run->objects.resize(2);
      run->objects[1].id = 7;
    }
    add(passing_, 1, Kind::wait_group_add, 11, 1);
    add(passing_, 0, Kind::wait_group_wait, 12, 2);
    add(finding_, 1, Kind::mutex_lock, 10, 1);
    add(finding_, 0, Kind::wait_group_wait, 12, 0);
  }
  static void add(StoredTrace& run, uint32_t thread, Kind kind, SiteId site, uint32_t done) {
    Event e = {};
    e.thread = thread;
    e.site = site;
    e.kind = kind;
    e.object = 1;
    e.occurrence = 1;
    e.done = done;
    e.partner = kNoEvent;
    run.events.push_back(e);
  }
  bool is_candidate() const { return has_order(candidates_of(finding_, {}, {passing_}), 12, 11); }
  StoredTrace finding_, passing_;
};

// The write fails unless the other thread has begun before, and has made a change that is no operation.
TEST(Explanation, WhatAnotherThreadWouldHaveDoneNextIsACandidate) {
  StoredTrace finding;
  finding.threads.resize(2);
  finding.threads[0].id = kMainThread;
  finding.threads[1].id = child_thread(kMainThread, 0);
  finding.objects.resize(2);
  StoredTrace passing = finding;
  finding.threads[0].state = static_cast<uint8_t>(ThreadEnd::running);
  const auto add = [](StoredTrace& run, uint32_t thread, Kind kind, SiteId site, uint32_t done) {
    run.events.push_back(stored_event(thread, site, kind, done));
  };
  add(finding, 0, Kind::thread_create, 10, 1);
  add(finding, 0, Kind::descriptor_write, 11, 0);
  add(passing, 0, Kind::thread_create, 10, 1);
  add(passing, 1, Kind::thread_start, 12, 2);
  add(passing, 0, Kind::descriptor_write, 11, 3);
  EXPECT_TRUE(has_order(candidates_of(finding, {}, {passing}), 11, 12));
}

// At the end two threads were about to do something: neither comes first.
TEST(Explanation, WhatIsAboutToHappenHasNoOrder) {
  StoredTrace finding;
  finding.threads.resize(2);
  finding.threads[0].id = kMainThread;
  finding.threads[1].id = child_thread(kMainThread, 0);
  finding.objects.resize(2);
  StoredTrace passing = finding;
  const auto add = [](StoredTrace& run, uint32_t thread, SiteId site, uint32_t done) {
    run.events.push_back(stored_event(thread, site, Kind::atomic_rmw, done));
    run.events.back().object = 1;
  };
  add(finding, 0, 11, 0);
  add(finding, 1, 12, 0);
  add(passing, 0, 11, 1);
  add(passing, 1, 12, 2);
  EXPECT_TRUE(candidates_of(finding, {}, {passing}).empty());
}

// Nothing can be said about all schedules, so one of them is told.
TEST(Explanation, WithoutConditionsOneWayIsTold) {
  Explanation e;
  e.nonpreemptive = true;
  e.one_way = counted(1, 1).conditions;
  e.same_order_passes = true;
  const std::string text = explanation_text(e, {}, {});
  EXPECT_NE(text.find("No few conditions"), std::string::npos) << text;
  EXPECT_NE(text.find("  each thread runs until it has to wait, but\n  - the load at "), std::string::npos) << text;
  EXPECT_NE(text.find("The same operations in the same order also came without the finding."), std::string::npos) << text;
}

// "The wait comes before the change that never came" is the finding itself, in other words.
TEST_F(WaitInVain, ThatNothingEndedAWaitIsNoCause) {
  EXPECT_TRUE(is_candidate());
  finding_.events.back().flags = kEventContended;
  EXPECT_FALSE(is_candidate());
}

TEST(Explanation, ASelectOfOnePossibleCaseIsForced) {
  StoredTrace run;
  Event e = {};
  e.kind = Kind::select;
  e.done = 1;
  run.events.push_back(e);
  EXPECT_FALSE(is_forced(run, run.events[0]));  // nothing is known about its cases
  run.select_cases = {{0, 1, 0, 0, 0}, {0, 2, 1, 0, 1}, {0, 0, kDefaultCase, 2, 1}};
  EXPECT_TRUE(is_forced(run, run.events[0]));
  run.select_cases[0].ready = 1;
  EXPECT_FALSE(is_forced(run, run.events[0]));
}

// Two threads that spin change a million times.
TEST(ExplicitSchedule, HasNoMoreSwitchesThanAScheduleHolds) {
  StoredTrace run;
  run.threads.resize(2);
  run.threads[1].id = child_thread(kMainThread, 0);
  for (uint32_t i = 0; i < 10'000; ++i) {
    Event e = {};
    e.thread = i % 2;
    e.site = 1;
    e.kind = Kind::atomic_load;
    e.occurrence = i / 2 + 1;
    e.done = i + 1;
    run.events.push_back(e);
  }
  EXPECT_GT(orders_of_switches(run).size(), kMaxElements / 2);  // it is not made explicit
  EXPECT_LE(orders_of_switches(run).size(), kMaxElements + 1);
}

TEST(Explanation, ARepairCanSeparateTheObjects) {
  RepairedRuns runs{.conditions = 1, .known = 1, .runs = 50, .reached = 40};
  EXPECT_EQ(repaired_text("t", runs), "In t: it was never so, in 40 executions with these operations; 0 of 50 had a finding.\n");
  runs.elsewhere = 7;
  EXPECT_EQ(repaired_text("t", runs), "In t: it was never so, in 40 executions with these operations: they are on different objects; 0 of 50 had a finding.\n");
  runs.demanded = 25;
  runs.held = 10;
  runs.held_if_demanded = 9;
  EXPECT_EQ(repaired_text("t", runs),
            "In t: it was so in 9 of 25 executions that demand it, and in 1 of 25 others; 0 of 50 had a finding.\n");
}

}  // namespace
}  // namespace heddle::cli
