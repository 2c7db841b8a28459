#include "feedback/interest.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <memory>

#include "tests/unit/analyses/run_builder.h"
#include "tests/unit/feedback/features_of.h"

namespace heddle::rt {
namespace {

using testing::RunBuilder;

Features features(const RunSummary& run) {
  return features_of([&](Collector& collector) { collect_features(run, collector); });
}

size_t hashed(const Features& f) {
  size_t n = 0;
  for (const auto& [counter, value] : f) n += counter >= kFirstHashedCounter;
  return n;
}

TEST(Interest, TheConstantIsAlwaysThere) {
  const Features f = features(RunSummary{});
  EXPECT_EQ(f, (Features{{kConstantCounter, 1}}));
}

TEST(Interest, OrderedPairOfTwoThreads) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10);
  const uint32_t x = b.object();
  b.op(0, Kind::atomic_store, x, 20);
  b.op(t, Kind::atomic_load, x, 30);
  EXPECT_EQ(hashed(features(b.run())), 1u);
  RunBuilder c;
  const uint32_t u = c.thread(0, 10);
  const uint32_t y = c.object();
  c.op(u, Kind::atomic_load, y, 30);
  c.op(0, Kind::atomic_store, y, 20);
  EXPECT_EQ(hashed(features(c.run())), 1u);
  EXPECT_NE(features(b.run()), features(c.run()));  // the other order is another feature
}

TEST(Interest, NoPairWithinAThreadAndNoneOfTwoReads) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10);
  const uint32_t x = b.object();
  b.op(0, Kind::atomic_load, x, 20);
  b.op(t, Kind::atomic_load, x, 30);
  b.op(t, Kind::atomic_store, x, 31);
  b.op(t, Kind::atomic_store, x, 32);
  // The write of t comes after its own read: the last operation on x is not another thread's.
  EXPECT_EQ(hashed(features(b.run())), 0u);
}

TEST(Interest, AReadIsPairedWithTheLastWriteBehindOtherReads) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), u = b.thread(0, 11);
  const uint32_t x = b.object();
  b.op(0, Kind::atomic_store, x, 20);
  b.op(t, Kind::atomic_load, x, 30);
  b.op(u, Kind::atomic_load, x, 31);
  EXPECT_EQ(hashed(features(b.run())), 2u);
}

TEST(Interest, AFailedTrylockIsAnOutcomeAndNoWrite) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10);
  const uint32_t m = b.object();
  b.lock(0, m, 20);
  b.op(t, Kind::mutex_trylock, m, 30, Outcome::failure);
  const Features failed = features(b.run());
  EXPECT_EQ(hashed(failed), 2u);  // the outcome, and that it came after the lock
  b.events().back().outcome = Outcome::success;
  EXPECT_NE(features(b.run()), failed);
}

// Which thread did it must not matter: three workers of one code, in two distributions of the same operations.
TEST(Interest, ThreadsAreAnonymous) {
  const auto make = [](uint32_t first, uint32_t second) {
    RunBuilder b;
    uint32_t t[3];
    for (uint32_t& thread : t) thread = b.thread(0, 10);
    const uint32_t x = b.object();
    const uint32_t w = b.op(t[first], Kind::atomic_rmw, x, 20);
    b.op(t[second], Kind::atomic_rmw, x, 20, Outcome::none, w);
    return features(b.run());
  };
  EXPECT_EQ(make(0, 1), make(2, 0));
  EXPECT_EQ(make(0, 1), make(1, 2));
}

TEST(Interest, RepetitionsAreCounted) {
  const auto pairs = [](int times) {
    RunBuilder b;
    const uint32_t t = b.thread(0, 10);
    const uint32_t x = b.object();
    for (int i = 0; i < times; ++i) {
      b.op(0, Kind::atomic_store, x, 20);
      b.op(t, Kind::atomic_load, x, 30);
    }
    Features f = features(b.run());
    std::erase_if(f, [](const auto& one) { return one.first < kFirstHashedCounter; });
    return f;
  };
  EXPECT_NE(pairs(2), pairs(5));
  EXPECT_EQ(pairs(5), pairs(6));  // of one bucket
}

TEST(Interest, ChainsAreOfTheInput) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10);
  const uint32_t x = b.object();
  b.op(0, Kind::atomic_store, x, 20);
  b.op(t, Kind::atomic_load, x, 30);
  b.chains().push_back({4, 3});
  auto collector = std::make_unique<Collector>();
  static Feature out[Collector::kMaxTouched];
  bool novel;
  collector->begin();
  collect_chain_features(b.run(), *collector);
  ASSERT_EQ(collector->select(48, out, novel), 2u);
  EXPECT_EQ(out[0].counter, kConstantCounter);
  EXPECT_EQ(out[1].counter, kFirstChainCounter);
  EXPECT_EQ(out[1].value, 3);
}

TEST(Interest, ChainsRacesAndOrderClass) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10);
  const uint32_t x = b.object();
  const uint32_t w = b.op(0, Kind::atomic_store, x, 20);
  b.op(t, Kind::atomic_load, x, 30, Outcome::none, w);
  const uint64_t from_store = order_class(b.run());
  b.events().back().partner = kNoEvent;
  EXPECT_NE(order_class(b.run()), from_store);
  b.chains().push_back({4, 3});
  b.chains().push_back({2, 0});
  b.races().push_back({1, 2, 3, 1, 0, Kind::none, Kind::none});
  const Features f = features(b.run());
  EXPECT_EQ(f.at(kFirstChainCounter), 3);
  EXPECT_EQ(f.count(kFirstChainCounter + 1), 0u);
  EXPECT_EQ(hashed(f), 2u);  // the pair and the race
  int order = 0;
  for (const auto& [counter, value] : f) order += counter >= kFirstOrderCounter && counter < kFirstOrderCounter + kOrderCounters;
  EXPECT_EQ(order, 1);
}

// Not a test of speed: prints the figure for docs/design/runtime-laws.md#the-budget.
TEST(Interest, CostOf25Events) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), u = b.thread(0, 11);
  const uint32_t x = b.object(), m = b.object();
  for (uint32_t i = 0; i < 3; ++i) {
    b.lock(t, m, 20 + i);
    b.op(t, Kind::atomic_rmw, x, 30 + i);
    b.unlock(t, m, 40 + i);
    b.lock(u, m, 50 + i);
    b.op(u, Kind::atomic_load, x, 60 + i);
    b.unlock(u, m, 70 + i);
  }
  b.finish(t, 80);
  b.finish(u, 81);
  const RunSummary& run = b.run();
  auto collector = std::make_unique<Collector>();
  static Feature out[Collector::kMaxTouched];
  bool novel = false;
  constexpr int kRuns = 20000;
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < kRuns; ++i) {
    collector->begin();
    collect_features(run, *collector);
    collector->select(48, out, novel);
  }
  const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - begin;
  printf("%u events, %u features: %.0f ns a run\n", run.event_count, collector->touched(), time.count() / kRuns);
  EXPECT_FALSE(novel);
}

}  // namespace
}  // namespace heddle::rt
