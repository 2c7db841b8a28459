// Pairs of a run that lie far apart, and what comes before the second one then (mutator/orders/far_reversals.h).
#include "mutator/orders/far_reversals.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "parent.h"

namespace heddle::mutator {
namespace {

struct Reversals {
  explicit Reversals(const Parent& p, FarPairs which = FarPairs::all) {
    run.assign(p.summary());
    const RunReversals near(run);
    far = far_reversals(run, near, which);
  }
  const FarReversal* find(uint32_t first, uint32_t second) const {
    for (const FarReversal& r : far) {
      if (r.first == first && r.second == second) return &r;
    }
    return nullptr;
  }
  KnownRun run;
  std::vector<FarReversal> far;
};

// Thread t locks three times at site 10 t.
Parent sections() {
  Parent p;
  for (const uint32_t t : {1u, 2u}) {
    for (int i = 0; i < 3; ++i) {
      p.add(t, 10 * t, Kind::mutex_lock, 1);
      p.add(t, 10 * t + 1, Kind::mutex_unlock, 1);
    }
  }
  return p;
}

TEST(FarReversals, SectionsWithOthersBetweenThem) {
  const Reversals r(sections());
  EXPECT_EQ(r.find(4, 6), nullptr);  // a race
  std::set<std::pair<uint32_t, uint32_t>> pairs;
  for (const FarReversal& f : r.far) {
    pairs.insert({f.first, f.second});
    EXPECT_EQ(f.between, (4 - f.first) / 2);
    // Thread 1 up to the first one, thread 2 up to the second one, each in its order.
    std::vector<uint32_t> expected;
    for (uint32_t e = 0; e < f.first; ++e) expected.push_back(e);
    for (uint32_t e = 6; e <= f.second; ++e) expected.push_back(e);
    EXPECT_EQ(f.prefix, expected);
  }
  EXPECT_EQ(pairs, (std::set<std::pair<uint32_t, uint32_t>>{{2, 6}, {0, 6}, {4, 8}, {2, 8}, {0, 8}, {4, 10}, {2, 10}, {0, 10}}));
}

TEST(FarReversals, TheNearestComeFirst) {
  uint32_t last = 0;
  for (const FarReversal& f : Reversals(sections()).far) {
    EXPECT_GE(f.between, last);
    last = f.between;
  }
}

// To let the other thread write, the first one has to wait at its lock.
TEST(FarReversals, ALockInTheWayIsNotTakenYet) {
  Parent p;
  for (const uint32_t t : {1u, 2u}) {
    p.add(t, 10 * t, Kind::mutex_lock, 1);
    p.add(t, 10 * t + 1, Kind::plain_write, 2);
    p.add(t, 10 * t + 2, Kind::plain_write, 2);
    p.add(t, 10 * t + 3, Kind::mutex_unlock, 1);
  }
  const Reversals r(p);
  const FarReversal* const writes = r.find(0, 6);
  ASSERT_NE(writes, nullptr);
  EXPECT_EQ(writes->prefix, (std::vector<uint32_t>{4, 5, 6}));
  for (const FarReversal& f : r.far) EXPECT_EQ(f.first, 0u);
}

// The lock for writing waits for the reader that holds it. It is enough that it waits: then no other reader gets it.
TEST(FarReversals, ALockThatOthersHoldIsTriedBeforeThat) {
  Parent p;
  p.add(1, 10, Kind::rwlock_rdlock, 1);
  p.add(2, 20, Kind::rwlock_rdlock, 1);
  p.add(2, 21, Kind::rwlock_unlock, 1);
  p.add(2, 22, Kind::thread_exit, 2);
  p.add(1, 11, Kind::thread_join, 2);
  p.add(1, 12, Kind::rwlock_unlock, 1);
  p.add(3, 30, Kind::rwlock_wrlock, 1);
  const Reversals r(p);
  const FarReversal* const lock = r.find(1, 6);
  ASSERT_NE(lock, nullptr);
  EXPECT_EQ(lock->prefix, (std::vector<uint32_t>{0, 6}));
}

TEST(FarReversals, NotWhatMoreThanLocksOrders) {
  Parent p;
  p.add(1, 10, Kind::plain_write, 1);
  p.add(1, 11, Kind::plain_write, 1);
  p.add(1, 12, Kind::atomic_store, 2).order = MemoryOrder::release;
  p.add(2, 20, Kind::atomic_load, 2).order = MemoryOrder::acquire;
  p.events.back().partner = 2;
  p.add(2, 21, Kind::plain_read, 1);
  EXPECT_TRUE(Reversals(p).far.empty());
}

TEST(FarReversals, OfOrdinaryVariablesAlone) {
  EXPECT_TRUE(Reversals(sections(), FarPairs::plain).far.empty());
  Parent p = sections();
  p.add(1, 30, Kind::plain_write, 2);
  p.add(1, 31, Kind::plain_write, 2);
  p.add(2, 40, Kind::plain_read, 2);
  const Reversals r(p, FarPairs::plain);
  ASSERT_EQ(r.far.size(), 1u);
  EXPECT_EQ(std::pair(r.far[0].first, r.far[0].second), std::pair(12u, 14u));
}

// Threads 1 to 4 lock thirty times each, which makes several thousand pairs.
TEST(FarReversals, AreBounded) {
  Parent p;
  for (uint32_t t = 1; t <= 4; ++t) {
    for (int i = 0; i < 30; ++i) {
      p.add(t, 10 * t, Kind::mutex_lock, 1);
      p.add(t, 10 * t + 1, Kind::mutex_unlock, 1);
    }
  }
  const Reversals r(p);
  EXPECT_EQ(r.far.size(), 64u);
}

}  // namespace
}  // namespace heddle::mutator
