// The race detector case by case, and what it costs.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <set>
#include <utility>
#include <vector>

#include "detector_lab.h"

namespace heddle::rt {
namespace {

TEST(RaceDetector, WriteWriteAndReadWrite) {
  begin();
  start(0, 1);
  access(0, kBase, 4, true, 0x10);
  access(1, kBase, 4, true, 0x20);
  access(0, kBase, 4, false, 0x30);
  EXPECT_EQ(found(), (std::set<Pair>{ordered(site_id(0x10), site_id(0x20)), ordered(site_id(0x20), site_id(0x30))}));
}

void atomic(uint32_t thread, Kind kind, uintptr_t address, size_t size, uintptr_t pc, MemoryOrder order = MemoryOrder::relaxed,
            Outcome outcome = Outcome::none) {
  event(thread, kind, 20 + static_cast<uint32_t>(address - kBase), order, outcome, {address, size, pc});
}

TEST(RaceDetector, AtomicsRaceWithPlainAccessesOnly) {
  begin();
  start(0, 1);
  atomic(0, Kind::atomic_store, kBase, 4, 0x10);
  atomic(1, Kind::atomic_rmw, kBase, 4, 0x20);
  atomic(0, Kind::atomic_load, kBase, 4, 0x30);
  EXPECT_TRUE(found().empty());
  access(1, kBase, 4, false, 0x40);  // a plain read: of the other thread's store, not of its load
  EXPECT_EQ(found(), (std::set<Pair>{ordered(site_id(0x10), site_id(0x40))}));
  access(1, kBase, 4, true, 0x50);
  EXPECT_EQ(found().size(), 3u);
  EXPECT_EQ(found().count(ordered(site_id(0x30), site_id(0x50))), 1u);
}

TEST(RaceDetector, AFailedCompareAndSwapOnlyReads) {
  for (const Outcome outcome : {Outcome::success, Outcome::failure}) {
    begin();
    start(0, 1);
    atomic(0, Kind::atomic_cas, kBase, 8, 0x10, MemoryOrder::seq_cst, outcome);
    access(1, kBase, 8, false, 0x20);
    EXPECT_EQ(found().size(), outcome == Outcome::success ? 1u : 0u);
    access(1, kBase, 8, true, 0x30);
    EXPECT_EQ(found().count(ordered(site_id(0x10), site_id(0x30))), 1u);
  }
}

TEST(RaceDetector, InitialisationIsOrderedByItsPublication) {
  for (const bool acquires : {true, false}) {
    begin();
    start(0, 1);
    access(0, kBase, 4, true, 0x10);  // by the constructor
    atomic(0, Kind::atomic_store, kBase, 4, 0x20, MemoryOrder::release);
    atomic(1, Kind::atomic_load, kBase, 4, 0x30, acquires ? MemoryOrder::acquire : MemoryOrder::relaxed);
    EXPECT_EQ(found().size(), acquires ? 0u : 1u);
  }
}

TEST(RaceDetector, TheLastOwnerMayWritePlainly) {
  begin();
  start(0, 1);
  atomic(1, Kind::atomic_rmw, kBase, 4, 0x10, MemoryOrder::acq_rel);  // gives a reference back
  atomic(0, Kind::atomic_rmw, kBase, 4, 0x20, MemoryOrder::acq_rel);
  access(0, kBase, 16, true, 0x30);  // frees it
  EXPECT_TRUE(found().empty());
}

TEST(RaceDetector, AtomicsOfSeveralSizes) {
  begin();
  start(0, 1);
  atomic(0, Kind::atomic_store, kBase, 16, 0x10);
  access(1, kBase + 15, 1, false, 0x20);
  atomic(1, Kind::atomic_store, kBase + 17, 1, 0x30);
  access(0, kBase + 16, 1, true, 0x40);
  access(0, kBase + 18, 1, true, 0x50);
  EXPECT_EQ(found(), (std::set<Pair>{ordered(site_id(0x10), site_id(0x20))}));
}

TEST(RaceDetector, LocksAreUsedAtomicallyAndDestroyedPlainly) {
  begin();
  start(0, 1);
  const Bytes mutex{kBase, 1, 0x10};
  event(0, Kind::mutex_unlock, 5, MemoryOrder::seq_cst, Outcome::none, mutex);
  access(1, kBase, 8, false, 0x20);  // a copy of it
  EXPECT_TRUE(found().empty());
  access(1, kBase, 8, true, 0x30);
  EXPECT_EQ(found().size(), 1u);
  begin();
  start(0, 1);
  event(0, Kind::mutex_unlock, 5, MemoryOrder::seq_cst, Outcome::none, mutex);
  event(1, Kind::mutex_destroy, 5, MemoryOrder::seq_cst, Outcome::none, {kBase, 1, 0x20});
  EXPECT_EQ(found().size(), 1u);
  // A woken thread may return after the condition variable was destroyed.
  begin();
  start(0, 1);
  event(0, Kind::cond_destroy, 5, MemoryOrder::seq_cst, Outcome::none, mutex);
  event(1, Kind::cond_wake, 5, MemoryOrder::seq_cst, Outcome::signalled, {kBase, 1, 0x20});
  EXPECT_TRUE(found().empty());
}

TEST(RaceDetector, ManyThreadsOnOneAtomic) {
  constexpr uint32_t kMany = 300;
  begin();
  for (uint32_t t = 1; t <= kMany + 1; ++t) start(0, t);
  for (uint32_t t = 1; t <= kMany; ++t) atomic(t, t % 2 ? Kind::atomic_store : Kind::atomic_load, kBase, 4, 0x1000 + t * 16);
  access(kMany + 1, kBase, 4, false, 0x10);
  EXPECT_EQ(found().size(), kMany / 2);
  access(kMany + 1, kBase, 4, true, 0x20);
  EXPECT_EQ(found().size(), kMany / 2 + kMany);
}

TEST(RaceDetector, CreationAndJoinOrder) {
  begin();
  access(0, kBase, 8, true, 0x10);
  start(0, 1);
  access(1, kBase, 8, true, 0x20);
  event(1, Kind::thread_exit, 101);
  event(0, Kind::thread_join, 101);
  access(0, kBase, 8, true, 0x30);
  EXPECT_TRUE(found().empty());
}

TEST(RaceDetector, NeighbouringBytesDoNotRace) {
  begin();
  start(0, 1);
  access(0, kBase, 4, true, 0x10);
  access(1, kBase + 4, 4, true, 0x20);
  access(1, kBase + 8, 1, true, 0x30);
  access(0, kBase + 9, 1, true, 0x40);
  EXPECT_TRUE(found().empty());
  access(1, kBase + 3, 2, true, 0x50);
  EXPECT_EQ(found(), (std::set<Pair>{ordered(site_id(0x10), site_id(0x50))}));
}

TEST(RaceDetector, ManyReadersAndOneWriter) {
  constexpr uint32_t kReaders = 100;
  begin();
  for (uint32_t t = 1; t <= kReaders + 1; ++t) start(0, t);
  for (uint32_t t = 1; t <= kReaders; ++t) access(t, kBase, 4, false, 0x1000 + t * 16);
  access(kReaders + 1, kBase, 4, true, 0x10);
  EXPECT_EQ(found().size(), kReaders);
}

TEST(RaceDetector, RangesAreTheirBytes) {
  begin();
  start(0, 1);
  access(0, kBase + 3, 1000, true, 0x10);
  access(1, kBase + 2, 1, true, 0x20);
  access(1, kBase + 1003, 1, true, 0x30);
  EXPECT_TRUE(found().empty());
  access(1, kBase + 1002, 1, false, 0x40);
  EXPECT_EQ(found().size(), 1u);
}

TEST(RaceDetector, ForgottenMemoryIsNew) {
  for (size_t size : {size_t{64}, size_t{4096}, size_t{1 << 20}}) {
    begin();
    start(0, 1);
    for (size_t i = 0; i < size; i += 64) access(0, kBase + i, 8, true, 0x10);
    access(0, kBase + size, 8, true, 0x20);
    race_detector_forget(kBase, size);
    for (size_t i = 0; i < size; i += 64) access(1, kBase + i, 8, true, 0x30);
    EXPECT_TRUE(found().empty()) << size;
    access(1, kBase + size, 8, true, 0x40);
    EXPECT_EQ(found().size(), 1u) << size;
  }
}

TEST(RaceDetector, AThreadsStackIsNew) {
  begin();
  start(0, 1);
  access(1, kBase, 8, true, 0x10);
  event(1, Kind::thread_exit, 101);
  start(0, 2);
  race_detector_thread(2, 0, kBase - (8 << 20), kBase + 4096);
  access(2, kBase, 8, true, 0x20);
  EXPECT_TRUE(found().empty());
}

TEST(RaceDetector, ExecutionsKnowNothingOfEachOther) {
  for (int i = 0; i < 3; ++i) {
    begin();
    start(0, 1);
    access(i % 2, kBase, 8, true, 0x10);
    EXPECT_TRUE(found().empty());
    access(1 - i % 2, kBase, 8, true, 0x20);
    EXPECT_EQ(found().size(), 1u);
  }
}

TEST(RaceDetector, TellsTheSink) {
  begin();
  start(0, 1);
  static std::vector<RaceReport> reports;
  reports.clear();
  set_race_sink([](const RaceReport& r) { reports.push_back(r); });
  access(0, kBase, 8, true, 0x10);
  access(1, kBase, 8, false, 0x20);
  access(1, kBase, 8, false, 0x20);
  set_race_sink(nullptr);
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0].first_thread, 0u);
  EXPECT_EQ(reports[0].second_thread, 1u);
  EXPECT_EQ(reports[0].pair.first_writes, 1);
  EXPECT_EQ(reports[0].pair.second_writes, 0);
}

TEST(RaceDetector, ObjectsEndWithTheirMemory) {
  begin();
  static std::vector<std::pair<uintptr_t, bool>> told;
  told.clear();
  set_object_sink([](uintptr_t address, bool written) {
    told.push_back({address, written});
    return true;
  });
  race_detector_object(kBase + 4);
  race_detector_object(kBase + 64);
  access(0, kBase, 4, true, 0x10);       // beside it
  access(0, kBase, 8, false, 0x20);      // a read
  EXPECT_TRUE(told.empty());
  access(0, kBase, 8, true, 0x30);
  EXPECT_EQ(told, (std::vector<std::pair<uintptr_t, bool>>{{kBase + 4, true}}));
  race_detector_forget(kBase, 128);
  set_object_sink(nullptr);
  EXPECT_EQ(told.back(), (std::pair<uintptr_t, bool>{kBase + 64, false}));
  EXPECT_EQ(told.size(), 2u);
}

// --- cost (printed, not asserted) ---------------------------------------------------------------

template <typename Body>
void report(const char* what, int times, Body body) {
  const auto from = std::chrono::steady_clock::now();
  body();
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - from;
  std::printf("%-48s %6.1f ns\n", what, took.count() / times);
}

TEST(RaceDetectorCost, Printed) {
  constexpr int kTimes = 2'000'000;
  begin();
  start(0, 1);
  report("same place again", kTimes, [] {
    for (int i = 0; i < kTimes; ++i) access(0, kBase, 8, i & 1, 0x10);
  });
  report("1,024 places in turn, known", kTimes, [] {
    for (int i = 0; i < kTimes; ++i) access(0, kBase + 8 * (i % 1024), 8, true, 0x10);
  });
  report("1,024 places, an event every 16 accesses", kTimes, [] {
    for (int i = 0; i < kTimes; ++i) {
      if (i % 16 == 0) event(0, Kind::mutex_lock, 3);
      access(0, kBase + 8 * (i % 1024), 8, true, 0x10);
    }
  });
  report("an event", kTimes, [] {
    for (int i = 0; i < kTimes; ++i) event(0, Kind::atomic_rmw, 20);
  });
  report("an event that is an access, one thread", kTimes, [] {
    for (int i = 0; i < kTimes; ++i) atomic(0, Kind::atomic_rmw, kBase + 8 * (i % 4), 4, 0x10, MemoryOrder::seq_cst);
  });
  report("an event that is an access, two threads", kTimes, [] {
    for (int i = 0; i < kTimes; ++i) atomic(i & 1, i & 2 ? Kind::atomic_load : Kind::atomic_rmw, kBase + 8 * (i % 4), 4, 0x10, MemoryOrder::seq_cst);
  });
  report("forget 64 bytes", kTimes, [] {
    for (int i = 0; i < kTimes; ++i) race_detector_forget(kBase + 64 * (i % 128), 64);
  });
  report("begin", 20'000, [] {
    for (int i = 0; i < 20'000; ++i) race_detector_begin();
  });
}

}  // namespace
}  // namespace heddle::rt
