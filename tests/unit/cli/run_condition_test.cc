// Which conditions hold in a run, and which a schedule can demand.
#include "harness/cli/run_condition.h"

#include <gtest/gtest.h>

#include "stored_event.h"

namespace heddle::cli {
namespace {

constexpr ThreadId kOther = child_thread(kMainThread, 0);

// What a thread has not done when it ends is not still to come.
TEST(RunIndex, AThreadThatHasEndedComesToNothingMore) {
  StoredTrace run;
  run.threads.resize(2);
  run.threads[0].id = kMainThread;
  run.threads[1].id = kOther;
  run.objects.resize(1);
  run.events = {stored_event(0, 10, Kind::atomic_load, 1), stored_event(1, 21, Kind::atomic_load, 2)};
  const Element never = {.thread = kOther, .site = 20, .occurrence = 1, .kind = Kind::atomic_store};
  const Condition order = Order{element_of(run, run.events[0]), never};
  EXPECT_TRUE(RunIndex(run, true).holds(order));
  EXPECT_FALSE(RunIndex(run, false).holds(order));
  run.events.push_back(stored_event(1, 22, Kind::thread_exit, 3));
  EXPECT_FALSE(RunIndex(run, true).holds(order));
}

// An idle thread of a pool waits at the end of each run. That something comes before the end of its wait says nothing about the finding.
TEST(RunIndex, WhatWaitsInVainComesAfterEverythingWithAndWithoutAFinding) {
  StoredTrace run;
  run.threads.resize(2);
  run.threads[0].id = kMainThread;
  run.threads[1].id = kOther;
  run.objects.resize(1);
  run.events = {stored_event(1, 21, Kind::cond_wake, 0), stored_event(0, 10, Kind::mutex_destroy, 2)};
  const Condition order = Order{element_of(run, run.events[1]), element_of(run, run.events[0])};
  EXPECT_TRUE(RunIndex(run, true).holds(order));
  EXPECT_TRUE(RunIndex(run, false).holds(order));
  const Condition other_way = Order{element_of(run, run.events[0]), element_of(run, run.events[1])};
  EXPECT_FALSE(RunIndex(run, true).holds(other_way));
  EXPECT_FALSE(RunIndex(run, false).holds(other_way));
}

// What expires has done so after a longer jump, too.
TEST(RunIndex, AJumpOfTheClockIsSoLongOrLonger) {
  StoredTrace run;
  run.threads.resize(1);
  run.threads[0].id = kMainThread;
  run.objects.resize(1);
  run.events = {stored_event(0, 10, Kind::clock_jump, 1)};
  run.events[0].choice = 3;
  const RunIndex index(run, true);
  for (const auto& [choice, holds] : {std::pair(0, false), std::pair(1, true), std::pair(3, true), std::pair(4, false)}) {
    const SelectPreference jump = {.thread = kMainThread, .site = 10, .instance = 1, .choice = choice, .kind = Kind::clock_jump};
    EXPECT_EQ(index.holds(jump), holds) << choice;
  }
}

TEST(RunCondition, NoScheduleCanDemandTheDefaultCase) {
  SelectPreference choice = {.thread = kMainThread, .site = 1, .instance = 1, .choice = -1, .kind = Kind::select};
  EXPECT_FALSE(can_be_demanded(choice));
  choice.choice = 1;
  EXPECT_TRUE(can_be_demanded(choice));
  EXPECT_TRUE(can_be_demanded(std::vector<Condition>{LastWake{}, choice}));
  EXPECT_FALSE(can_be_demanded(std::vector<Condition>{LastWake{}}));
}

}  // namespace
}  // namespace heddle::cli
