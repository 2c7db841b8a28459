// Reports of threads that wait for ever.
#include <algorithm>

#include "tests/unit/analyses/golden_report.h"

namespace heddle::rt {
namespace {

using testing::GoldenReport;
using testing::RunBuilder;

// In the C++ library's semaphore, which is inlined.
Position in_a_semaphore(uint32_t site) {
  static Frame frames[2];
  frames[0] = {"std::__atomic_semaphore::_M_acquire", "/usr/lib/gcc/x86_64-linux-gnu/12/../../../../include/c++/12/bits/semaphore_base.h", 206, 7};
  frames[1] = {"take", "/src/queue.cc", site, 5};
  return {frames, 2};
}

TEST_F(GoldenReport, LostWakeup) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), m = b.object(), c = b.object();
  b.lock(t, m, 30);
  b.op(0, Kind::cond_signal, c, 20, Outcome::failure);
  b.wait(t, c, m, 31);
  b.block(0, Kind::thread_join, b.object_of(t), 21);
  b.block(t, Kind::cond_wake, c, 31);
  expect_found(find_lost_wakeup, "lost_wakeup", b.run());
}

TEST_F(GoldenReport, LostWakeupOfAThreadThatReadAFlagTooEarly) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), m = b.object(), c = b.object(), flag = b.object();
  b.lock(t, m, 30);
  b.op(t, Kind::atomic_load, flag, 31);
  b.op(0, Kind::atomic_store, flag, 20);
  b.op(0, Kind::cond_broadcast, c, 21, Outcome::failure);
  b.wait(t, c, m, 32);
  b.block(0, Kind::thread_join, b.object_of(t), 22);
  b.block(t, Kind::cond_wake, c, 32);
  expect_found(find_lost_wakeup, "lost_wakeup_of_a_flag", b.run());
}

TEST_F(GoldenReport, BlockedThreads) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), u = b.thread(t, 11), m = b.object(), s = b.object();
  b.lock(t, m, 20);
  b.finish(t, 22);
  b.op(0, Kind::thread_join, b.object_of(t), 12);
  b.finish(0, 13);
  const uint32_t w = b.thread(u, 14);
  b.block(u, Kind::mutex_lock, m, 30);
  b.block(w, Kind::semaphore_wait, s, 40);
  expect_found(find_blocked_threads, "blocked_threads", b.run());
}

TEST_F(GoldenReport, BlockedAtADescriptorThatTheThreadItselfHasDrained) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), queue = b.object(), wake = b.object();
  b.op(t, Kind::descriptor_wait, wake, 30);
  b.op(0, Kind::descriptor_write, wake, 21);
  b.op(t, Kind::atomic_load, queue, 31);
  b.op(0, Kind::atomic_store, queue, 20);
  b.op(0, Kind::descriptor_write, wake, 21);
  b.op(t, Kind::descriptor_read, wake, 32);
  b.block(0, Kind::thread_join, b.object_of(t), 22);
  b.block(t, Kind::descriptor_wait, wake, 30);
  expect_found(find_blocked_threads, "drained_descriptor", b.run());
}

TEST_F(GoldenReport, BlockedAtADescriptorAfterAnEarlierSection) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), m = b.object(), wake = b.object();
  b.lock(t, m, 31);
  b.op(t, Kind::mutex_unlock, m, 31);
  b.lock(0, m, 20);
  b.op(0, Kind::mutex_unlock, m, 20);
  b.op(0, Kind::descriptor_write, wake, 21);
  b.op(t, Kind::descriptor_read, wake, 32);
  b.block(0, Kind::thread_join, b.object_of(t), 22);
  b.block(t, Kind::descriptor_wait, wake, 30);
  expect_found(find_blocked_threads, "drained_after_a_section", b.run());
}

TEST_F(GoldenReport, BlockedAtADescriptorOfWhichTheMessageIsTaken) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), u = b.thread(0, 11), pipe = b.object();
  b.op(0, Kind::descriptor_write, pipe, 21);
  b.op(u, Kind::descriptor_read, pipe, 40);
  b.finish(u, 41);
  b.op(0, Kind::thread_join, b.object_of(u), 12);
  b.block(0, Kind::thread_join, b.object_of(t), 22);
  b.block(t, Kind::descriptor_read, pipe, 40);
  expect_found(find_blocked_threads, "message_taken", b.run());
}

TEST_F(GoldenReport, BlockedInASemaphoreOfTheLibrary) {
  set_position_source(in_a_semaphore);
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), s = b.object();
  b.block(0, Kind::thread_join, b.object_of(t), 12);
  b.block(t, Kind::futex_wait, s, 40);
  expect_found(find_blocked_threads, "blocked_in_semaphore", b.run());
}

TEST_F(GoldenReport, BlockedAtABarrier) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), u = b.thread(0, 11), barrier = b.object();
  const auto arrive = [&](uint32_t thread, uint32_t count) { b.events()[b.op(thread, Kind::barrier_arrive, barrier, 30)].value = count; };
  arrive(0, 1), arrive(t, 2), arrive(u, 3);  // a round that is over
  for (const uint32_t thread : {0u, t, u}) b.op(thread, Kind::barrier_leave, barrier, 30);
  arrive(t, 1), arrive(u, 2);
  b.block(0, Kind::thread_join, b.object_of(t), 12);
  b.block(t, Kind::barrier_leave, barrier, 30);
  b.block(u, Kind::barrier_leave, barrier, 30);
  expect_found(find_blocked_threads, "blocked_at_barrier", b.run());
}

// The value that it waited for came back in between.
TEST_F(GoldenReport, BlockedInAFutexWhoseValueCameBack) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), f = b.object();
  b.op(0, Kind::futex_wake, f, 20, Outcome::failure);
  b.events()[b.op(t, Kind::futex_wait, f, 30)].value = ~0u;
  b.block(0, Kind::thread_join, b.object_of(t), 21);
  b.block(t, Kind::futex_wait, f, 30);
  expect_found(find_blocked_threads, "blocked_in_futex", b.run());
}

// Nobody has posted. What the waiter went by was written by another thread.
TEST_F(GoldenReport, BlockedBecauseOfWhatItHasRead) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), readers = b.object(), s = b.object();
  const uint32_t left = b.op(t, Kind::atomic_rmw, readers, 30);
  b.finish(t, 10);
  b.op(0, Kind::thread_join, b.object_of(t), 11);
  b.op(0, Kind::atomic_rmw, readers, 20, Outcome::none, left);
  b.block(0, Kind::semaphore_wait, s, 20);
  expect_found(find_blocked_threads, "blocked_by_a_count", b.run());
}

// In a lock of the program's own, the same line serves many locks. Only what was read since the last lock counts.
TEST_F(GoldenReport, WhatWasReadBeforeTheLastLockDoesNotCount) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), m = b.object(), earlier = b.object(), count = b.object(), s = b.object();
  const uint32_t first = b.op(t, Kind::atomic_store, earlier, 30), second = b.op(t, Kind::atomic_store, count, 31);
  b.finish(t, 10);
  const uint32_t read_earlier = b.op(0, Kind::atomic_load, earlier, 20, Outcome::none, first);
  b.lock(0, m, 21);
  b.unlock(0, m, 21);
  const uint32_t read_count = b.op(0, Kind::atomic_load, count, 20, Outcome::none, second);
  b.block(0, Kind::semaphore_wait, s, 20);
  forget_names();
  ASSERT_TRUE(find_blocked_threads(b.run(), *story));
  const auto marked = [&](uint32_t event) { return std::find(story->events, story->events + story->event_count, event) != story->events + story->event_count; };
  EXPECT_TRUE(marked(read_count) && marked(second));
  EXPECT_FALSE(marked(read_earlier) || marked(first));
}

// The other thread has looked before there was anything to see.
TEST_F(GoldenReport, BlockedAfterALookThatCameTooEarly) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), m = b.object(), c = b.object(), aside = b.object();
  b.op(t, Kind::atomic_load, aside, 30);
  b.finish(t, 10);
  b.lock(0, m, 20);
  b.op(0, Kind::atomic_store, aside, 21);
  b.wait(0, c, m, 22);
  b.block(0, Kind::cond_wake, c, 22);
  expect_found(find_blocked_threads, "blocked_after_an_early_look", b.run());
}

TEST_F(GoldenReport, BlockedAlthoughItWasCancelled) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), m = b.object();
  b.lock(0, m, 20);
  b.op(0, Kind::thread_cancel, b.object_of(t), 21);
  b.block(0, Kind::thread_join, b.object_of(t), 22);
  b.block(t, Kind::mutex_lock, m, 30);
  expect_found(find_deadlock, "deadlock_of_a_cancelled_thread", b.run());
}

}  // namespace
}  // namespace heddle::rt
