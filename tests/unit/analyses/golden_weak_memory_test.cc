// What reports say about stale reads.
#include "analyses/report/missing_order.h"
#include "tests/unit/analyses/golden_report.h"

namespace heddle::rt {
namespace {

using testing::RunBuilder;
using GoldenWeakMemory = testing::GoldenReport;

TEST_F(GoldenWeakMemory, StaleReadsAndOvertakenStores) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), x = b.object(), y = b.object();
  const uint32_t old = b.op(t, Kind::atomic_store, x, 20);
  b.op(t, Kind::atomic_store, x, 21);
  b.op(t, Kind::atomic_store, y, 22);
  for (int i = 0; i < 2; ++i) {
    b.op(0, Kind::atomic_load, x, 40);
    b.events().back().flags = kEventStale;
    b.events().back().partner = old;
  }
  b.op(0, Kind::atomic_load, y, 41);
  b.events().back().flags = kEventStale;
  b.op(0, Kind::atomic_store, y, 42);
  b.events().back().flags = kEventStale;
  expect_raised({FindingType::assertion, 0, 0, kNoEvent, kNoEvent, 0, 43, "assertion `x == y' at queue.cc:43"}, "stale", b.run());
}

TEST_F(GoldenWeakMemory, StaleReadBehindARelaxedFlag) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), data = b.object(), flag = b.object();
  b.atomic(t, Kind::atomic_store, data, 20, MemoryOrder::relaxed);
  const uint32_t set = b.atomic(t, Kind::atomic_store, flag, 21, MemoryOrder::relaxed);
  b.atomic(0, Kind::atomic_load, flag, 40, MemoryOrder::acquire, set);
  b.stale(0, data, 41, MemoryOrder::relaxed);
  expect_raised({FindingType::assertion, 0, 0, kNoEvent, kNoEvent, 0, 43, "assertion `data == 1' at queue.cc:43"}, "stale_flag", b.run());
}

// The flag goes through a third thread, which hands it on by a read-modify-write, and by a fence.
TEST_F(GoldenWeakMemory, StaleReadBehindAReleaseSequence) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), u = b.thread(0, 11), data = b.object(), flag = b.object();
  b.atomic(t, Kind::atomic_store, data, 20, MemoryOrder::relaxed);
  b.atomic(t, Kind::atomic_fence, 0, 21, MemoryOrder::release);
  const uint32_t set = b.atomic(t, Kind::atomic_store, flag, 22, MemoryOrder::relaxed);
  const uint32_t count = b.atomic(u, Kind::atomic_rmw, flag, 30, MemoryOrder::relaxed, set);
  b.atomic(0, Kind::atomic_load, flag, 40, MemoryOrder::relaxed, count);
  b.stale(0, data, 41, MemoryOrder::relaxed);
  expect_raised({FindingType::assertion, 0, 0, kNoEvent, kNoEvent, 0, 43, "assertion `data == 1' at queue.cc:43"}, "stale_sequence", b.run());
}

TEST_F(GoldenWeakMemory, EachThreadMissesTheOthersStore) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), u = b.thread(0, 11), x = b.object(), y = b.object();
  b.atomic(t, Kind::atomic_store, x, 20, MemoryOrder::seq_cst);
  b.atomic(u, Kind::atomic_store, y, 30, MemoryOrder::release);
  b.atomic(t, Kind::atomic_load, y, 21, MemoryOrder::acquire);
  b.events().back().flags = kEventStale;
  b.stale(u, x, 31, MemoryOrder::acquire);
  expect_raised({FindingType::assertion, u, 0, kNoEvent, kNoEvent, 0, 32, "assertion `!both' at queue.cc:32"}, "stale_circle", b.run());
}

TEST_F(GoldenWeakMemory, WeakMemoryHadNoPartInIt) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), x = b.object(), y = b.object();
  const uint32_t set = b.atomic(t, Kind::atomic_store, x, 20, MemoryOrder::relaxed);
  b.atomic(0, Kind::atomic_load, x, 40, MemoryOrder::relaxed, set);
  b.stale(t, y, 21, MemoryOrder::relaxed);
  expect_raised({FindingType::assertion, 0, 0, kNoEvent, kNoEvent, 0, 43, "assertion `x == 0' at queue.cc:43"}, "stale_elsewhere", b.run());
}

// A hazard pointer: who frees the memory does not see that it is protected.
TEST_F(GoldenWeakMemory, StaleReadOfTheThreadThatFreed) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), hazard = b.object();
  b.atomic(0, Kind::atomic_store, hazard, 40, MemoryOrder::release);
  const uint32_t looked = b.stale(t, hazard, 20, MemoryOrder::acquire);
  story->begin(FindingType::heap_use_after_free, 0);
  story->thread = 0;
  story->what.put("main reads byte 8 of a heap block that main.0 freed earlier.\n\n");
  story->add_stack(41, 0, true, "main reads it here");
  story->add_aside({t, looked + 1, kNoEvent, 21, 0, {}}, "free block");
  story->set_now("read block+8");
  expect("stale_free", b.run(), false);
}

// Who should have notified has not seen that somebody waits, and has ended.
TEST_F(GoldenWeakMemory, StaleReadOfAThreadThatHasEnded) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), waiters = b.object(), m = b.object(), c = b.object();
  b.atomic(0, Kind::atomic_store, waiters, 40, MemoryOrder::release);
  b.lock(0, m, 41);
  b.wait(0, c, m, 42);
  b.stale(t, waiters, 20, MemoryOrder::acquire);
  b.finish(t, 21);
  b.block(0, Kind::cond_wake, c, 42);
  expect_found(find_blocked_threads, "stale_no_notification", b.run());
}

// A data race after a message: the report names the order that the message lacks.
TEST_F(GoldenWeakMemory, RaceBehindARelaxedLoad) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), flag = b.object();
  const uint32_t set = b.atomic(t, Kind::atomic_store, flag, 20, MemoryOrder::release);
  const uint32_t seen = b.atomic(0, Kind::atomic_load, flag, 40, MemoryOrder::relaxed, set);
  Text text;
  text.clear();
  forget_names();
  ASSERT_TRUE(put_unordering_messages(text, b.run(), set, seen));
  EXPECT_NE(text.view().find("It would, with acquire at queue.cc:40 (or with fences there)."), std::string_view::npos) << text.view();
  EXPECT_EQ(text.view().find("release at"), std::string_view::npos) << text.view();
  // No message after the first access.
  const uint32_t later = b.atomic(t, Kind::atomic_store, flag, 21, MemoryOrder::release);
  EXPECT_FALSE(put_unordering_messages(text, b.run(), later, seen));
}

}  // namespace
}  // namespace heddle::rt
