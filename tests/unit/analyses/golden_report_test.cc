// Reports of findings of all kinds.
#include "tests/unit/analyses/golden_report.h"

#include <cerrno>

#include "analyses/report/columns.h"
#include "analyses/report/memory_words.h"
#include "analyses/time_out.h"

namespace heddle::rt {
namespace {

using testing::by_line;
using testing::GoldenReport;
using testing::RunBuilder;

// The same in three files.
Position in_several_files(uint32_t site) {
  static constexpr const char* kFiles[] = {"/src/bounded_queue_fuzz.cc", "/src/queue.cc", "/src/include/queue_node.h"};
  static Frame frame;
  frame = {"push", kFiles[site / 10 % 3], site, 5};
  return {&frame, 1};
}

Position in_files_of_one_name(uint32_t site) {
  static constexpr const char* kFiles[] = {"/src/bounded_queue_fuzz.cc", "/src/queue/node.h", "/src/stack/node.h"};
  static Frame frame;
  frame = {"push", kFiles[site / 10 % 3], site, 5};
  return {&frame, 1};
}

// In a function that locks, which is inlined into several others. `lines`: its operations are at so many lines.
template <uint32_t lines>
Position in_a_wrapper(uint32_t site) {
  static Frame frames[128][2];
  Frame* const here = frames[site % 128];
  here[0] = {"lock_or_die", "/src/locks.h", 7 + site / 10 % lines, 3};
  here[1] = by_line(site).frames[0];
  return {here, 2};
}

// In a function that locks and checks the result, which only a wrapper calls. `own`: the caller has an operation of its own.
template <bool own>
Position in_a_wrapper_of_a_wrapper(uint32_t site) {
  static Frame frames[128][3];
  Frame* const here = frames[site % 128];
  here[0] = {"checked_lock", "/src/locks.h", 7, 3};
  here[1] = {"mutex_lock", "/src/locks.h", 15, 3};
  here[2] = by_line(site).frames[0];
  if (!own || site != 20) return {here, 3};
  here[1].line = 14;
  return {here + 1, 2};
}

// In the program's function of one line, which several functions of an installed library call.
Position called_by_a_library(uint32_t site) {
  static Frame frames[128][2];
  Frame* const here = frames[site % 128];
  here[0] = {"work", "/src/queue.cc", 7, 3};
  here[1] = {"run_task", "/usr/include/tasks/task.h", site, 5};
  return {here, 2};
}

RunBuilder opposite_locks() {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), u = b.thread(0, 11), m = b.object(), n = b.object();
  b.lock(t, m, 20);
  b.lock(u, n, 30);
  b.events().back().flags = kEventHeld;
  b.block(0, Kind::thread_join, b.object_of(t), 12);
  b.block(t, Kind::mutex_lock, n, 21);
  b.block(u, Kind::mutex_lock, m, 31);
  return b;
}

TEST_F(GoldenReport, Deadlock) { expect_found(find_deadlock, "deadlock", opposite_locks().run()); }
TEST_F(GoldenReport, DeadlockNarrow) { expect_found(find_deadlock, "deadlock_narrow", opposite_locks().run(), 60); }

TEST_F(GoldenReport, Wrapper) {
  set_position_source(in_a_wrapper<1>);
  expect_found(find_deadlock, "wrapper", opposite_locks().run());
}
TEST_F(GoldenReport, NoWrapper) {
  set_position_source(in_a_wrapper<2>);
  expect_found(find_deadlock, "no_wrapper", opposite_locks().run());
}

TEST_F(GoldenReport, WrapperOfAWrapper) {
  set_position_source(in_a_wrapper_of_a_wrapper<false>);
  expect_found(find_deadlock, "wrapper_of_a_wrapper", opposite_locks().run());
}
TEST_F(GoldenReport, NoWrapperOfAWrapper) {
  set_position_source(in_a_wrapper_of_a_wrapper<true>);
  expect_found(find_deadlock, "no_wrapper_of_a_wrapper", opposite_locks().run());
}

TEST_F(GoldenReport, NoWrapperButALibrarysCallback) {
  set_position_source(called_by_a_library);
  expect_found(find_deadlock, "library_callback", opposite_locks().run());
}

TEST_F(GoldenReport, ReaderBehindAWriter) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), u = b.thread(0, 11), l = b.object();
  b.lock(t, l, 20, Kind::rwlock_rdlock);
  b.block(0, Kind::thread_join, b.object_of(t), 12);
  b.block(u, Kind::rwlock_wrlock, l, 30);
  b.block(t, Kind::rwlock_rdlock, l, 21);
  expect_found(find_deadlock, "reader_behind_writer", b.run());
}

TEST_F(GoldenReport, SeveralFiles) {
  set_position_source(in_several_files);
  expect_found(find_deadlock, "several_files", opposite_locks().run(), 120);
}
TEST_F(GoldenReport, SeveralFilesNarrow) {
  set_position_source(in_several_files);
  expect_found(find_deadlock, "several_files_narrow", opposite_locks().run(), 100);
}
TEST_F(GoldenReport, SeveralFilesOfOneName) {
  set_position_source(in_files_of_one_name);
  expect_found(find_deadlock, "files_of_one_name", opposite_locks().run(), 80);
}

TEST_F(GoldenReport, StackUseAfterReturn) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), a = b.object();
  b.op(t, Kind::atomic_load, a, 30);
  b.op(t, Kind::atomic_store, a, 31);
  expect_raised({.type = FindingType::stack_use_after_return, .thread = t, .object = a, .other_thread = 0, .site = 31, .detail = "uses", .address = 0x6a0000001000}, "stack_use", b.run());
}

TEST_F(GoldenReport, ThreadLocalUseAfterEnd) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), u = b.thread(0, 11), a = b.object();
  b.op(t, Kind::atomic_store, a, 30);
  b.finish(t, 31);
  b.op(u, Kind::atomic_load, a, 40);
  expect_raised({.type = FindingType::thread_local_use_after_end, .thread = u, .object = a, .other_thread = t, .site = 41, .detail = "uses", .address = 0x6a0000001000}, "thread_local_use", b.run());
}

TEST_F(GoldenReport, TimeOutOfALongComputation) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), u = b.thread(0, 11), a = b.object();
  b.op(t, Kind::plain_read, a, 30);
  b.op(u, Kind::plain_write, a, 40);
  b.finish(u, 43);
  for (int i = 0; i < 500; ++i) b.op(t, Kind::spin_pause, 0, 32);
  forget_names();
  tell_time_out(b.run(), t, 33, 0, *story);
  expect("time_out", b.run(), false);
  // What it did last signs it, not where the clock found it.
  const uint64_t signed_by = signature(*story);
  tell_time_out(b.run(), t, 34, 0, *story);
  EXPECT_EQ(signature(*story), signed_by);
}

TEST_F(GoldenReport, LivelockIsFolded) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), x = b.object(), y = b.object();
  for (int i = 0; i < 50; ++i) b.op(0, Kind::atomic_load, x, 20);
  for (int i = 0; i < 30; ++i) {
    b.op(0, Kind::atomic_load, x, 20);
    b.op(t, Kind::atomic_load, y, 30);
  }
  b.leave(0, Kind::atomic_load, x, 20, ThreadEnd::running);
  b.leave(t, Kind::atomic_load, y, 30, ThreadEnd::running);
  expect_found(find_livelock, "livelock", b.run());
}

TEST_F(GoldenReport, LivelockOfLoopsThatDoNotAlternate) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), u = b.thread(0, 11), x = b.object(), y = b.object();
  b.op(0, Kind::atomic_store, x, 12);
  for (uint32_t i = 0; i < 200; ++i) {
    const bool first = mix(i, 1) % 2 != 0;
    b.op(first ? t : u, Kind::atomic_load, x, first ? 20 : 30);
    b.op(first ? t : u, first ? Kind::atomic_rmw : Kind::yield, first ? y : 0, first ? 21 : 31);
    if (first) b.op(t, Kind::atomic_rmw, y, 22);
  }
  b.block(0, Kind::thread_join, b.object_of(t), 13);
  b.leave(t, Kind::atomic_rmw, y, 21, ThreadEnd::running);
  b.leave(u, Kind::yield, 0, 31, ThreadEnd::running);
  expect_found(find_livelock, "livelock_of_loops", b.run());
}

TEST_F(GoldenReport, WordsOfOutcomes) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), once = b.object(), futex = b.object(), pipe = b.object(), m = b.object();
  b.op(t, Kind::once_begin, once, 30, Outcome::success);
  b.op(t, Kind::once_end, once, 31, Outcome::success);
  b.op(0, Kind::once_begin, once, 20, Outcome::failure);
  b.op(0, Kind::futex_wait, futex, 21, Outcome::failure);
  b.op(0, Kind::futex_wake, futex, 22, Outcome::failure);
  b.op(0, Kind::yield, 0, 23);
  b.events().back().value = kYieldOfClock;
  b.op(0, Kind::yield, 0, 24);
  b.op(0, Kind::descriptor_write, pipe, 25, Outcome::failure);
  b.events().back().value = transfer_value(Kind::descriptor_write, -EAGAIN);
  b.op(0, Kind::descriptor_write, pipe, 29, Outcome::failure);
  b.events().back().value = kWriteOfConnect;
  b.op(0, Kind::descriptor_read, pipe, 26, Outcome::failure);
  b.op(0, Kind::descriptor_wait, pipe, 27, Outcome::failure);
  b.op(t, Kind::descriptor_close, pipe, 34);
  b.events().back().value = 4;
  b.op(0, Kind::descriptor_write, pipe, 35, Outcome::failure);
  b.events().back().value = transfer_value(Kind::descriptor_write, -EBADF);
  b.lock(t, m, 32);
  b.finish(t, 33);
  b.block(0, Kind::mutex_lock, m, 28);
  expect_found(find_blocked_threads, "words_of_outcomes", b.run());
}

TEST_F(GoldenReport, ALongRunIsCut) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), m = b.object(), n = b.object(), own = b.object(), x = b.object();
  b.lock(t, m, 20);
  for (uint32_t i = 0; i < 100; ++i) {
    b.op(t, Kind::atomic_store, own, 60 + i % 10);
    b.op(i % 2, Kind::atomic_rmw, x, 40 + i % 10);
  }
  b.lock(0, n, 50);
  b.block(0, Kind::mutex_lock, m, 51);
  b.block(t, Kind::mutex_lock, n, 21);
  expect_found(find_deadlock, "long_run", b.run());
}

TEST_F(GoldenReport, ManyThreads) {
  RunBuilder b;
  const uint32_t m = b.object(), n = b.object(), x = b.object();
  uint32_t last = 0;
  for (uint32_t i = 0; i < 10; ++i) {
    last = b.thread(0, 10);
    b.op(last, Kind::atomic_rmw, x, 40);
  }
  b.lock(0, m, 20);
  b.lock(last, n, 30);
  b.block(0, Kind::mutex_lock, n, 21);
  b.block(last, Kind::mutex_lock, m, 31);
  expect_found(find_deadlock, "many_threads", b.run());
}

TEST_F(GoldenReport, OutcomesAndMarks) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), m = b.object(), c = b.object(), n = b.object();
  b.lock(0, m, 20);
  b.op(t, Kind::mutex_trylock, m, 30, Outcome::failure);
  b.op(t, Kind::mutex_timedlock, m, 31, Outcome::timeout);
  b.unlock(0, m, 21);
  b.lock(t, m, 32);
  b.events().back().flags = kEventContended | kEventHeld | kEventReleased;
  b.wait(t, c, m, 33);
  b.op(t, Kind::cond_wake, c, 33, Outcome::spurious);
  b.op(0, Kind::cond_broadcast, c, 22, Outcome::success);
  b.events().back().flags = kEventDelayed;
  b.lock(t, n, 34);
  b.finish(t, 35);
  b.block(0, Kind::mutex_lock, n, 23);
  expect_found(find_blocked_threads, "outcomes_and_marks", b.run());
}

TEST_F(GoldenReport, UnlockByAnother) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), m = b.object();
  const uint32_t taken = b.lock(t, m, 20);
  expect_raised({FindingType::unlock_not_owner, 0, m, t, taken, 0, 40, nullptr}, "unlock_by_another", b.run());
}

// The reader goes on with its end. Who closed the other one has the star.
TEST_F(GoldenReport, AWriteFailsBecauseOfTheClose) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), pipe = b.object();
  b.op(t, Kind::descriptor_close, pipe, 20);
  b.events().back().value = 4;
  b.op(t, Kind::descriptor_read, pipe, 21);
  b.op(0, Kind::descriptor_write, pipe, 40, Outcome::failure);
  b.events().back().value = transfer_value(Kind::descriptor_write, -EBADF);
  expect_raised({FindingType::assertion, 0, 0, kNoEvent, kNoEvent, 0, 41, "assertion `written' at queue.cc:41"}, "write_after_close", b.run());
}

TEST_F(GoldenReport, Assertion) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), x = b.object();
  b.op(t, Kind::atomic_store, x, 20);
  b.op(0, Kind::atomic_load, x, 40);
  expect_raised({FindingType::assertion, 0, 0, kNoEvent, kNoEvent, 0, 41, "assertion `x == y' at queue.cc:41"}, "assertion",
                b.run());
}

TEST_F(GoldenReport, ValuesAndWhoWroteThem) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), x = b.object(), y = b.object(), p = b.object();
  const auto note = [](uint32_t event, const EventValues& values) { recorder().values.begin(event) = values; };
  constexpr uint8_t kRead = EventValues::kRead, kStored = EventValues::kStored, kExpected = EventValues::kExpected;
  const uint32_t set = b.op(t, Kind::atomic_store, x, 20);
  note(set, {.stored = ~0ull, .size = 8, .known = kRead | kStored});
  note(b.op(0, Kind::atomic_load, x, 40, Outcome::none, set), {.read = ~0ull, .size = 8, .known = kRead});
  const uint32_t added = b.op(t, Kind::atomic_rmw, y, 21);
  note(added, {.read = 41, .stored = 42, .writer_thread = 0, .writer_site = 11, .size = 4, .known = kRead | kStored});
  note(b.op(0, Kind::atomic_cas, y, 41, Outcome::failure, added), {.read = 42, .stored = 1, .size = 4, .known = kRead | kExpected});
  note(b.op(0, Kind::atomic_cas, y, 42, Outcome::failure, added), {.read = 42, .stored = 1, .expected = 42, .size = 4, .known = kRead | kExpected});
  note(b.op(0, Kind::atomic_cas, y, 43, Outcome::success, added), {.read = 42, .stored = 0x7f0012345678, .expected = 42, .size = 8, .known = kRead | kStored | kExpected});
  note(b.op(t, Kind::plain_read, p, 22), {.read = 7, .writer_thread = 0, .writer_site = 12, .size = 4, .known = kRead});
  const uint32_t written = b.op(0, Kind::plain_write, p, 44);
  note(written, {.stored = 8, .size = 4, .known = kStored});
  note(b.op(t, Kind::plain_read, p, 22, Outcome::none, written), {.read = 8, .size = 4, .known = kRead});
  for (uint64_t i = 0; i < 3; ++i) note(b.op(t, Kind::atomic_rmw, y, 23, Outcome::none, added), {.read = i, .stored = i + 1, .size = 4, .known = kRead | kStored});
  for (int i = 0; i < 3; ++i) note(b.op(0, Kind::atomic_load, x, 45, Outcome::none, set), {.read = ~0ull, .size = 8, .known = kRead});
  // What the source has stored is something else.
  note(b.op(0, Kind::atomic_load, x, 46, Outcome::none, set), {.read = 5, .size = 8, .known = kRead});
  expect_raised({FindingType::assertion, 0, 0, kNoEvent, kNoEvent, 0, 47, "assertion `x == 0' at queue.cc:47"}, "values", b.run());
}

// Both accesses of a race are rows, and the free of a block that is used afterwards. The race's first access comes between two events.
TEST_F(GoldenReport, AccessesThatAreNoEvents) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), m = b.object();
  const uint32_t locked = b.lock(t, m, 20);
  const uint32_t unlocked = b.unlock(t, m, 22);
  forget_names();
  story->begin(FindingType::data_race, 0);
  story->thread = 0;
  story->what.put("main reads 4 bytes.\n\n");
  story->add_stack(40, 0, true, "main reads 4 bytes here");
  story->add_aside({t, unlocked, kNoEvent, 21, 0, {}}, "write hits");
  story->set_now("read hits");
  story->add_event(locked);
  expect("data_race", b.run(), false);
}

TEST_F(GoldenReport, AFreeThatIsAnEvent) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), p = b.object();
  const uint32_t freed = b.op(t, Kind::plain_write, p, 20);
  b.finish(t, 23);
  story->begin(FindingType::heap_use_after_free, 0);
  story->thread = 0;
  story->what.put("main reads byte 8 of a heap block that main.0 freed earlier.\n\n");
  story->add_stack(40, 0, true, "main reads it here");
  story->add_aside({t, freed + 1, freed, 20, 0, {}}, "free block");
  story->set_now("read block+8");
  name_block_of(*story, 0x1000, 24);
  story->block.is.put("heap block of 24 bytes, freed by main.0");
  expect("use_after_free", b.run(), false);
}

TEST(ReportWidth, IsThatOfTheEnvironment) {
  setenv("COLUMNS", "77", 1);
  EXPECT_EQ(report_width(), 77u);
  setenv("COLUMNS", "7", 1);
  EXPECT_EQ(report_width(), 60u);
  unsetenv("COLUMNS");
}

// What the assertion has read, the write that it saw, what its writer had read, and the write that came in between. The read of another variable,
// and a thread that has read alone, have no part in it.
// What the thread computed from it leaves no trace. But other threads have written it, too.
TEST_F(GoldenReport, NothingIsKnownToBeWrongInWhatTheFailingThreadReads) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), state = b.object();
  const uint32_t entered = b.op(0, Kind::atomic_rmw, state, 20);
  const uint32_t left = b.op(t, Kind::atomic_rmw, state, 30, Outcome::none, entered);
  b.finish(t, 10);
  b.op(0, Kind::thread_join, b.object_of(t), 11);
  const uint32_t again = b.op(0, Kind::atomic_store, state, 21);
  const uint32_t looked = b.op(0, Kind::atomic_load, state, 40, Outcome::none, again);
  tell_raised({FindingType::assertion, 0, 0, kNoEvent, kNoEvent, 0, 40, "assertion `try_lock()' at queue.cc:40"}, b.run(), *story);
  for (const uint32_t event : {entered, left, again, looked}) {
    EXPECT_NE(std::find(story->events, story->events + story->event_count, event), story->events + story->event_count) << event;
  }
}

// A thread's function captures references. What its creator has written there explains nothing.
TEST_F(GoldenReport, WhatWasWrittenBeforeTheThreadBeganIsAnInitialValue) {
  RunBuilder b;
  const uint32_t captured = b.object();
  const uint32_t written = b.op(0, Kind::atomic_store, captured, 20);
  const uint32_t t = b.thread(0, 10);
  b.op(t, Kind::atomic_load, captured, 40, Outcome::none, written);
  tell_raised({FindingType::assertion, t, 0, kNoEvent, kNoEvent, 0, 40, "assertion `x == 2' at queue.cc:40"}, b.run(), *story);
  EXPECT_EQ(story->event_count, 0u);
}

TEST_F(GoldenReport, TheFailingValueComesFromALostUpdate) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), u = b.thread(0, 11), x = b.object(), y = b.object();
  b.op(t, Kind::atomic_load, y, 19);
  b.op(t, Kind::atomic_load, x, 20);
  b.op(u, Kind::atomic_load, x, 30);
  b.op(u, Kind::atomic_store, x, 31);
  const uint32_t lost = b.op(t, Kind::atomic_store, x, 21);
  b.op(0, Kind::atomic_load, x, 40, Outcome::none, lost);
  expect_raised({FindingType::assertion, 0, 0, kNoEvent, kNoEvent, 0, 40, "assertion `x == 2' at queue.cc:40"}, "lost_update", b.run());
  // The failing thread has read what it wrote itself.
  RunBuilder c;
  const uint32_t z = c.object();
  const uint32_t own = c.op(0, Kind::atomic_store, z, 20);
  c.op(0, Kind::atomic_load, z, 40, Outcome::none, own);
  tell_raised({FindingType::assertion, 0, 0, kNoEvent, kNoEvent, 0, 40, "assertion `z == 2' at queue.cc:40"}, c.run(), *story);
  EXPECT_EQ(story->event_count, 0u);
}

TEST_F(GoldenReport, CrashHasASummaryOfItsOwn) {
  RunBuilder b;
  const uint32_t x = b.object();
  b.op(0, Kind::atomic_load, x, 40);
  expect_raised({FindingType::crash, 0, 0, kNoEvent, kNoEvent, 0, 41, "signal SIGSEGV, address 0x000000000000"}, "crash", b.run());
}

}  // namespace
}  // namespace heddle::rt
