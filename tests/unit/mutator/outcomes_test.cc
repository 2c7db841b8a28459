// The system that asks for outcomes that no run had (mutator/modes/outcomes.h).
#include "mutator/modes/outcomes.h"

#include <gtest/gtest.h>

#include "parent.h"

namespace heddle::mutator {
namespace {

constexpr SiteId kWait = 7, kSignal = 8;

// Thread 0 waits at kWait, thread 1 notifies at kSignal, where `waiters` wait. `early`: the wait was to end for itself.
Parent run_of(Outcome end, bool early = false, uint32_t waiters = 1) {
  Parent p;
  p.add(0, kWait, Kind::cond_wait, 1);
  Event& signal = p.add(1, kSignal, Kind::cond_signal, 1, Outcome::success);
  signal.value = waiters;
  p.add(0, kWait, Kind::cond_wake, 1, end).choice = early;
  return p;
}

void learn(Outcomes& system, const Parent& p, const Schedule& schedule = {}) {
  KnownRun run;
  run.assign(p.summary());
  system.learn(run, schedule, false);
}

TEST(Outcomes, AChildRepeatsTheRunWithAnotherOutcome) {
  Outcomes system;
  EXPECT_TRUE(system.idle());
  Schedule schedule;
  schedule.seed = 42;
  schedule.elements = {op(1, kSignal, Kind::cond_signal)};
  learn(system, run_of(Outcome::signalled), schedule);
  ASSERT_FALSE(system.idle());
  Rng rng(1);
  const Schedule child = system.next({}, rng);
  EXPECT_EQ(child.seed, 42u);
  EXPECT_EQ(child.elements.size(), 1u);
  ASSERT_EQ(child.selects.size(), 1u);
  EXPECT_EQ(child.selects[0].site, kWait);
  EXPECT_EQ(child.selects[0].kind, Kind::cond_wake);
  EXPECT_EQ(child.selects[0].thread, kAnyThread);
  EXPECT_EQ(child.selects[0].choice, 1);
  EXPECT_TRUE(system.idle()) << "an outcome that does not come is not asked for again and again";
  EXPECT_TRUE(system.next({}, rng).selects.empty());
}

TEST(Outcomes, WhatARunHadIsNotAskedFor) {
  Outcomes system;
  learn(system, run_of(Outcome::signalled));
  learn(system, run_of(Outcome::spurious, true));
  EXPECT_TRUE(system.idle());
}

// It was to end for itself, but was notified first.
TEST(Outcomes, AWaitThatWasNotifiedFirstHasNotEndedForItself) {
  Outcomes system;
  learn(system, run_of(Outcome::signalled, true));
  EXPECT_FALSE(system.idle());
}

TEST(Outcomes, EachWaiterIsAskedForOnce) {
  Outcomes system;
  learn(system, run_of(Outcome::spurious, true, 3));
  learn(system, run_of(Outcome::signalled));
  Rng rng(1);
  EXPECT_EQ(system.next({}, rng).selects[0].choice, 1);
  EXPECT_EQ(system.next({}, rng).selects[0].choice, 2);
  EXPECT_TRUE(system.idle());
}

// The order of two operations decides whether a try fails.
TEST(Outcomes, WhatFollowsFromAnOrderIsNoChoice) {
  Outcomes system;
  Parent p;
  p.add(0, 1, Kind::mutex_trylock, 1, Outcome::success);
  p.add(1, 2, Kind::atomic_cas, 2, Outcome::success);
  learn(system, p);
  EXPECT_TRUE(system.idle());
}

TEST(Outcomes, ThePreferenceComesFirst) {
  Outcomes system;
  Schedule schedule;
  schedule.selects.assign(kMaxPreferences, SelectPreference{});
  learn(system, run_of(Outcome::signalled), schedule);
  Rng rng(1);
  const Schedule child = system.next({}, rng);
  EXPECT_EQ(child.selects.size(), kMaxPreferences);
  EXPECT_EQ(child.selects[0].site, kWait);
}

}  // namespace
}  // namespace heddle::mutator
