// Each analysis of a run's end, on runs that have what it looks for and on runs that nearly have it.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "analyses/analyses.h"
#include "analyses/end_findings.h"
#include "tests/unit/analyses/run_builder.h"

namespace heddle::rt {
namespace {

using testing::RunBuilder;

struct Detectors : ::testing::Test {
  bool deadlock(const RunSummary& run) { return look(find_deadlock, run); }
  bool lost_wakeup(const RunSummary& run) { return look(find_lost_wakeup, run); }
  bool blocked(const RunSummary& run) { return look(find_blocked_threads, run); }
  bool livelock(const RunSummary& run) { return look(find_livelock, run); }
  bool endless(const RunSummary& run) { return look(find_endless_threads, run); }
  bool look(Find find, const RunSummary& run) {
    forget_names();
    return find(run, *story);
  }
  std::string what() const { return std::string(story->what.view()); }
  std::unique_ptr<Story> story = std::make_unique<Story>();
};

TEST_F(Detectors, ACleanRunHasNothing) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), m = b.object();
  b.lock(t, m, 20);
  b.unlock(t, m, 21);
  b.finish(t, 22);
  b.op(0, Kind::thread_join, b.object_of(t), 11);
  b.finish(0, 12);
  EXPECT_FALSE(deadlock(b.run()));
  EXPECT_FALSE(lost_wakeup(b.run()));
  EXPECT_FALSE(blocked(b.run()));
  EXPECT_FALSE(livelock(b.run()));
}

TEST_F(Detectors, TwoLocksInOppositeOrders) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), u = b.thread(0, 11), m = b.object(), n = b.object();
  const uint32_t first = b.lock(t, m, 20), second = b.lock(u, n, 30);
  b.block(0, Kind::thread_join, b.object_of(t), 12);
  b.block(t, Kind::mutex_lock, n, 21);
  b.block(u, Kind::mutex_lock, m, 31);
  ASSERT_TRUE(deadlock(b.run()));
  EXPECT_EQ(story->type, FindingType::deadlock);
  EXPECT_EQ(story->stack_count, 4u);  // both waits and both acquisitions
  EXPECT_NE(what().find("2 threads wait for each other"), std::string::npos);
  EXPECT_NE(what().find("main waits for the end of main.0"), std::string::npos);
  int acquisitions = 0;
  for (uint32_t i = 0; i < story->event_count; ++i) acquisitions += story->events[i] == first || story->events[i] == second;
  EXPECT_EQ(acquisitions, 2);
}

TEST_F(Detectors, ACycleThroughAJoin) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), m = b.object();
  b.lock(0, m, 20);
  b.block(0, Kind::thread_join, b.object_of(t), 21);
  b.block(t, Kind::mutex_lock, m, 30);
  ASSERT_TRUE(deadlock(b.run()));
  EXPECT_EQ(story->stack_count, 3u);
}

TEST_F(Detectors, AThreadThatWaitsForItself) {
  RunBuilder b;
  const uint32_t m = b.object();
  b.lock(0, m, 20);
  b.block(0, Kind::mutex_lock, m, 21);
  ASSERT_TRUE(deadlock(b.run()));
  EXPECT_NE(what().find("waits for itself"), std::string::npos);
}

TEST_F(Detectors, NoCycleWhileTheHolderCanGoOn) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), m = b.object();
  b.lock(t, m, 20);
  b.block(0, Kind::mutex_lock, m, 11);
  b.leave(t, Kind::yield, 0, 21, ThreadEnd::running);
  EXPECT_FALSE(deadlock(b.run()));
  EXPECT_FALSE(blocked(b.run()));  // it will come to its unlock
}

TEST_F(Detectors, AHolderThatEndedIsNoCycleButLeavesOthersBlocked) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), m = b.object();
  b.lock(t, m, 20);
  b.finish(t, 22);
  b.block(0, Kind::mutex_lock, m, 11);
  EXPECT_FALSE(deadlock(b.run()));
  ASSERT_TRUE(blocked(b.run()));
  EXPECT_NE(what().find("held when it ended"), std::string::npos);
  EXPECT_EQ(story->stack_count, 2u);
}

TEST_F(Detectors, TheFirstOfSeveralBlockedThreadsDoesNotGoByTheirOrder) {
  uint32_t first[2];
  for (const bool turned : {false, true}) {
    RunBuilder b;
    const uint32_t t = b.thread(0, 10), u = b.thread(0, 10), s = b.object(), r = b.object();
    b.finish(0, 11);
    b.block(turned ? u : t, Kind::semaphore_wait, s, 20);
    b.block(turned ? t : u, Kind::semaphore_wait, r, 30);
    ASSERT_TRUE(blocked(b.run()));
    first[turned] = story->stacks[0].site;
  }
  EXPECT_EQ(first[0], first[1]);
}

// A reader has ended. The stage that sends to it is stuck, and behind it those that had come so far. The finding is the same.
TEST_F(Detectors, OneCauseHasOneSignatureWhoeverWaitsBehindIt) {
  uint64_t signatures[3];
  for (uint32_t behind = 0; behind < 3; ++behind) {
    RunBuilder b;
    const uint32_t reader = b.thread(0, 10), sender = b.thread(0, 11), first = b.thread(0, 12), second = b.thread(0, 13);
    const uint32_t out = b.object(), middle = b.object(), in = b.object();
    b.op(first, Kind::channel_send, middle, 40);
    b.op(sender, Kind::channel_receive, middle, 30);
    b.op(second, Kind::channel_send, in, 50);
    b.op(first, Kind::channel_receive, in, 41);
    b.op(sender, Kind::channel_send, out, 31);
    const uint32_t last = b.op(reader, Kind::channel_receive, out, 20);
    b.finish(reader, 21);
    if (behind < 1) b.finish(first, 42);
    if (behind < 2) b.finish(second, 51);
    b.block(0, Kind::thread_join, b.object_of(sender), 14);
    // The later a thread, the earlier its operation in the trace, and its site.
    if (behind >= 2) b.block(second, Kind::channel_send, in, 1);
    if (behind >= 1) b.block(first, Kind::channel_send, middle, 2);
    b.block(sender, Kind::channel_send, out, 31);
    ASSERT_TRUE(blocked(b.run()));
    signatures[behind] = signature(*story);
    EXPECT_EQ(story->stacks[0].site, 31u);
    EXPECT_EQ(story->stacks[1].site, b.events()[last].pc_index);  // who has gone
    EXPECT_EQ(what().rfind("  main.1 waits to send on ", 0), 0u) << what();
  }
  EXPECT_EQ(signatures[0], signatures[1]);
  EXPECT_EQ(signatures[0], signatures[2]);
}

// Eleven of twelve threads miss the only notification. Main, which has sent it, waits for one of them: they are the cause all the same.
TEST_F(Detectors, ThreadsThatWaitAlikeAreToldOnce) {
  RunBuilder b;
  const uint32_t m = b.object(), c = b.object();
  uint32_t threads[4];
  for (uint32_t& t : threads) t = b.thread(0, 10);
  for (const uint32_t t : threads) {
    b.lock(t, m, 20);
    b.wait(t, c, m, 21);
  }
  const uint32_t signal = b.op(0, Kind::cond_signal, c, 11, Outcome::success);
  b.op(threads[1], Kind::cond_wake, c, 21, Outcome::signalled, signal);
  b.finish(threads[1], 22);
  b.block(0, Kind::thread_join, b.object_of(threads[0]), 12);
  for (const uint32_t t : {threads[0], threads[2], threads[3]}) b.block(t, Kind::cond_wake, c, 21);
  ASSERT_TRUE(blocked(b.run()));
  EXPECT_NE(what().find("\n    2 more threads wait like this one: main.2, main.3\n  main waits for"), std::string::npos) << what();
  ASSERT_EQ(story->stack_count, 3u);
  EXPECT_TRUE(story->stacks[0].signs);
  EXPECT_STREQ(story->stacks[1].title, "main notified C1 (and woke main.1) last, here");
  EXPECT_FALSE(story->stacks[2].signs);
}

// Both have been the other side of what the other one waits for: none is a consequence.
TEST_F(Detectors, ThreadsThatWaitForEachOtherOnChannelsAreBothCauses) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), u = b.thread(0, 11), x = b.object(), y = b.object();
  b.op(t, Kind::channel_send, x, 20);
  b.op(u, Kind::channel_receive, x, 30);
  b.op(u, Kind::channel_send, y, 31);
  b.op(t, Kind::channel_receive, y, 21);
  b.finish(0, 12);
  b.block(t, Kind::channel_send, x, 22);
  b.block(u, Kind::channel_send, y, 32);
  ASSERT_TRUE(blocked(b.run()));
  ASSERT_EQ(story->stack_count, 2u);
  EXPECT_TRUE(story->stacks[0].signs);
  EXPECT_TRUE(story->stacks[1].signs);
}

TEST_F(Detectors, AReaderHoldsTheLockSinceTheFirstOfItsLocksThatIsLeft) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), l = b.object();
  b.lock(t, l, 20, Kind::rwlock_rdlock);
  b.lock(t, l, 21, Kind::rwlock_rdlock);
  b.op(t, Kind::rwlock_unlock, l, 22);
  b.finish(t, 23);
  b.block(0, Kind::rwlock_wrlock, l, 11);
  ASSERT_TRUE(blocked(b.run()));
  ASSERT_EQ(story->stack_count, 2u);
  EXPECT_EQ(story->stacks[1].site, 20u);
}

TEST_F(Detectors, AWaitGroupTellsItsCountAndWhoAdded) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), w = b.object();
  b.op(0, Kind::wait_group_add, w, 11);
  b.events().back().value = 2;
  b.op(t, Kind::wait_group_add, w, 20);
  b.events().back().value = 1;
  b.finish(t, 21);
  b.block(0, Kind::wait_group_wait, w, 12);
  ASSERT_TRUE(blocked(b.run()));
  EXPECT_NE(what().find("its count is 1: main called add(2) ("), std::string::npos) << what();
  EXPECT_NE(what().find("main.0 called done() ("), std::string::npos) << what();
}

TEST_F(Detectors, SignalBeforeWait) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), m = b.object(), c = b.object();
  const uint32_t signal = b.op(0, Kind::cond_signal, c, 20, Outcome::failure);
  b.lock(t, m, 30);
  b.wait(t, c, m, 31);
  b.block(0, Kind::thread_join, b.object_of(t), 21);
  b.block(t, Kind::cond_wake, c, 31);
  EXPECT_FALSE(deadlock(b.run()));
  ASSERT_TRUE(lost_wakeup(b.run()));
  EXPECT_EQ(story->stacks[1].site, b.events()[signal].pc_index);
  EXPECT_NE(what().find("does not check"), std::string::npos);
}

TEST_F(Detectors, SignalBetweenCheckAndWait) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), m = b.object(), c = b.object();
  b.lock(t, m, 30);
  b.op(0, Kind::cond_signal, c, 20, Outcome::failure);
  b.wait(t, c, m, 31);
  b.block(0, Kind::thread_join, b.object_of(t), 21);
  b.block(t, Kind::cond_wake, c, 31);
  ASSERT_TRUE(lost_wakeup(b.run()));
  EXPECT_NE(what().find("sent without holding the mutex"), std::string::npos);
}

TEST_F(Detectors, ABroadcastBetweenCheckAndWaitThatWakesOthers) {
  enum class When { after_the_lock, before_the_lock, before_an_earlier_wait };
  for (const When when : {When::after_the_lock, When::before_the_lock, When::before_an_earlier_wait}) {
    RunBuilder b;
    const uint32_t t = b.thread(0, 10), u = b.thread(0, 11), m = b.object(), c = b.object();
    const auto broadcast = [&] { b.op(0, Kind::cond_broadcast, c, 20, Outcome::success); };
    b.lock(u, m, 30);
    b.wait(u, c, m, 31);
    if (when == When::before_the_lock) broadcast();
    b.lock(t, m, 30);
    if (when == When::before_an_earlier_wait) {
      b.wait(t, c, m, 31);
      broadcast();
      b.op(t, Kind::cond_wake, c, 31, Outcome::signalled);
    }
    if (when == When::after_the_lock) broadcast();
    b.wait(t, c, m, 31);
    b.op(u, Kind::cond_wake, c, 31, Outcome::signalled);
    b.finish(u, 32);
    b.finish(0, 12);
    b.block(t, Kind::cond_wake, c, 31);
    ASSERT_EQ(lost_wakeup(b.run()), when == When::after_the_lock);
    if (when != When::after_the_lock) continue;
    EXPECT_NE(what().find("sent without holding the mutex"), std::string::npos);
    EXPECT_EQ(what().find("no waiter"), std::string::npos);
  }
}

TEST_F(Detectors, ALaterSignalIsNotLost) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), u = b.thread(0, 11), m = b.object(), c = b.object();
  b.op(0, Kind::cond_signal, c, 20, Outcome::failure);
  for (const uint32_t waiter : {t, u}) {
    b.lock(waiter, m, 30);
    b.wait(waiter, c, m, 31);
  }
  b.op(0, Kind::cond_signal, c, 21, Outcome::success);
  b.op(u, Kind::cond_wake, c, 31, Outcome::signalled);
  b.finish(u, 32);
  b.finish(0, 12);
  b.block(t, Kind::cond_wake, c, 31);
  EXPECT_FALSE(lost_wakeup(b.run()));
  ASSERT_TRUE(blocked(b.run()));
  EXPECT_NE(what().find("The body has returned"), std::string::npos);
}

TEST_F(Detectors, NobodyEverSignalled) {
  RunBuilder b;
  const uint32_t m = b.object(), c = b.object();
  b.lock(0, m, 30);
  b.wait(0, c, m, 31);
  b.block(0, Kind::cond_wake, c, 31);
  EXPECT_FALSE(lost_wakeup(b.run()));
  ASSERT_TRUE(blocked(b.run()));
  EXPECT_NE(what().find("cannot end"), std::string::npos);
}

TEST_F(Detectors, AWaiterThatALiveThreadMayStillWakeIsNotCounted) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), u = b.thread(0, 11), m = b.object(), c = b.object();
  b.op(u, Kind::cond_signal, c, 40, Outcome::failure);
  b.lock(t, m, 30);
  b.wait(t, c, m, 31);
  b.finish(0, 12);
  b.block(t, Kind::cond_wake, c, 31);
  b.leave(u, Kind::sleep, 0, 41, ThreadEnd::sleeping);
  EXPECT_FALSE(lost_wakeup(b.run()));
  EXPECT_FALSE(blocked(b.run()));
}

TEST_F(Detectors, AThreadThatNeverTouchedItIsNoHope) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), u = b.thread(0, 11), m = b.object(), c = b.object();
  b.lock(t, m, 30);
  b.wait(t, c, m, 31);
  b.finish(0, 12);
  b.block(t, Kind::cond_wake, c, 31);
  b.leave(u, Kind::sleep, 0, 41, ThreadEnd::sleeping);
  ASSERT_TRUE(blocked(b.run()));
  EXPECT_NE(what().find("Threads that can still run: 1"), std::string::npos);
}

TEST_F(Detectors, MainThatSpinsForEver) {
  RunBuilder b;
  const uint32_t x = b.object();
  for (int i = 0; i < 10; ++i) b.op(0, Kind::atomic_load, x, 20);
  b.leave(0, Kind::atomic_load, x, 20, ThreadEnd::running);
  ASSERT_TRUE(livelock(b.run()));
  EXPECT_EQ(story->stack_count, 1u);
}

TEST_F(Detectors, ASpinningThreadTellsWhatItReadsAndWhoWroteIt) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), x = b.object(), y = b.object();
  const uint32_t reset = b.op(t, Kind::atomic_store, x, 30);
  for (int i = 0; i < 10; ++i) {
    b.op(0, Kind::atomic_load, x, 20, Outcome::none, reset);
    b.op(0, Kind::atomic_load, y, 21);
  }
  b.finish(t, 31);
  b.leave(0, Kind::atomic_load, x, 20, ThreadEnd::running);
  ASSERT_TRUE(livelock(b.run()));
  EXPECT_NE(what().find("A1, which main.0 wrote last, at "), std::string::npos) << what();
  EXPECT_NE(what().find("A2, which no thread has written in this run"), std::string::npos) << what();
}

TEST_F(Detectors, ThreadsThatSpinAfterMainEndedAreNoLivelock) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), x = b.object();
  b.finish(0, 12);
  b.leave(t, Kind::atomic_load, x, 20, ThreadEnd::running);
  EXPECT_FALSE(livelock(b.run()));
  EXPECT_FALSE(endless(b.run()));
}

TEST_F(Detectors, ThreadsThatSpinUpToTheStepBoundAreEndless) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), x = b.object();
  b.finish(0, 12);
  for (int i = 0; i < 10; ++i) b.op(t, Kind::atomic_load, x, 20);
  b.leave(t, Kind::atomic_load, x, 20, ThreadEnd::running);
  RunSummary run = b.run();
  run.flags |= kRunEndless;
  EXPECT_FALSE(livelock(run));
  ASSERT_TRUE(endless(run));
  EXPECT_EQ(story->type, FindingType::endless_threads);
  EXPECT_EQ(story->stack_count, 1u);
}

TEST_F(Detectors, ARunCutShortIsNotJudged) {
  RunSummary run = {};
  EXPECT_FALSE(end_is_open(run));
  for (const RunFlag flag : {kRunStepBound, kRunTruncated, kRunFinding}) {
    run.flags = flag;
    EXPECT_TRUE(end_is_open(run));
  }
}

}  // namespace
}  // namespace heddle::rt
