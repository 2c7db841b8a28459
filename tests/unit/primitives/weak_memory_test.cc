// Litmus tests under RC11 by random schedules: which outcomes occur, and which must not. The values come from execution graphs; the oracle for
// whole graphs is in tests/unit/graph.
#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "controlled_run.h"
#include "primitives/atomic.h"

namespace heddle::test {
namespace {

using rt::primitives::atomic_cas;
using rt::primitives::atomic_fence;
using rt::primitives::atomic_load;
using rt::primitives::atomic_rmw;
using rt::primitives::atomic_store;
using rt::primitives::Rmw;

constexpr int kRlx = __ATOMIC_RELAXED, kAcq = __ATOMIC_ACQUIRE, kRel = __ATOMIC_RELEASE, kSc = __ATOMIC_SEQ_CST;

alignas(64) uint32_t g_x, g_y;
alignas(64) uint32_t g_out[8];

void store(uint32_t& x, uint32_t v, int order) { atomic_store(&x, v, order, HEDDLE_HERE); }
uint32_t load(uint32_t& x, int order) { return atomic_load(&x, order, HEDDLE_HERE); }
void fence() { atomic_fence(kSc, HEDDLE_HERE); }

using Threads = std::vector<std::function<void()>>;

// The final values of x and y come behind the outputs, if `finals`.
std::set<std::string> outcomes(const Threads& threads, int outputs, bool finals = false, MemoryModel model = MemoryModel::rc11, int runs = 3000) {
  std::set<std::string> all;
  for (int seed = 1; seed <= runs; ++seed) {
    Schedule schedule;
    schedule.seed = static_cast<uint64_t>(seed);
    schedule.memory_model = model;
    schedule.strategy = StrategyId::random_walk;
    const Result r = run(schedule, [&] {
      g_x = g_y = 0;  // an execution may be made again
      std::vector<std::thread> running;
      for (const auto& body : threads) running.emplace_back(body);
      for (std::thread& t : running) t.join();
    });
    EXPECT_TRUE(r.finished());
    std::string text;
    for (int i = 0; i < outputs; ++i) text += std::to_string(g_out[i]);
    if (finals) text += "/" + std::to_string(g_x) + std::to_string(g_y);
    all.insert(text);
  }
  return all;
}

using Outcomes = std::set<std::string>;

Threads store_buffering(int write, int read, bool fences) {
  return {[=] { store(g_x, 1, write); if (fences) fence(); g_out[0] = load(g_y, read); },
          [=] { store(g_y, 1, write); if (fences) fence(); g_out[1] = load(g_x, read); }};
}

TEST(WeakMemory, StoreBuffering) {
  EXPECT_EQ(outcomes(store_buffering(kRlx, kRlx, false), 2), (Outcomes{"00", "01", "10", "11"}));
  EXPECT_EQ(outcomes(store_buffering(kRel, kAcq, false), 2), (Outcomes{"00", "01", "10", "11"}));
  EXPECT_EQ(outcomes(store_buffering(kSc, kSc, false), 2), (Outcomes{"01", "10", "11"}));
  EXPECT_EQ(outcomes(store_buffering(kRlx, kRlx, true), 2), (Outcomes{"01", "10", "11"}));
  EXPECT_EQ(outcomes(store_buffering(kRlx, kRlx, false), 2, false, MemoryModel::sc), (Outcomes{"01", "10", "11"}));
}

Threads message_passing(int write, int read) {
  return {[=] { store(g_x, 1, kRlx); store(g_y, 1, write); },
          [=] { g_out[0] = load(g_y, read); g_out[1] = load(g_x, kRlx); }};
}

TEST(WeakMemory, MessagePassing) {
  EXPECT_EQ(outcomes(message_passing(kRlx, kRlx), 2), (Outcomes{"00", "01", "10", "11"}));
  EXPECT_EQ(outcomes(message_passing(kRel, kAcq), 2), (Outcomes{"00", "01", "11"}));
  EXPECT_EQ(outcomes(message_passing(kRel, kRlx), 2), (Outcomes{"00", "01", "10", "11"}));
}

TEST(WeakMemory, StoresAreInsertedBelowNewerOnes) {
  const auto two_plus_two = [](bool fences) {
    return Threads{[=] { store(g_x, 1, kRlx); if (fences) fence(); store(g_y, 2, kRlx); },
                   [=] { store(g_y, 1, kRlx); if (fences) fence(); store(g_x, 2, kRlx); }};
  };
  EXPECT_EQ(outcomes(two_plus_two(false), 0, true), (Outcomes{"/11", "/12", "/21", "/22"}));
  EXPECT_EQ(outcomes(two_plus_two(true), 0, true), (Outcomes{"/12", "/21", "/22"}));
}

TEST(WeakMemory, IndependentReadsOfIndependentWrites) {
  const auto iriw = [](int write, int read) {
    return Threads{[=] { store(g_x, 1, write); }, [=] { store(g_y, 1, write); },
                   [=] { g_out[0] = load(g_x, read); g_out[1] = load(g_y, read); },
                   [=] { g_out[2] = load(g_y, read); g_out[3] = load(g_x, read); }};
  };
  EXPECT_EQ(outcomes(iriw(kRlx, kAcq), 4).size(), 16u);
  EXPECT_EQ(outcomes(iriw(kSc, kSc), 4).count("1010"), 0u);
  EXPECT_EQ(outcomes(iriw(kSc, kSc), 4, false).size(), 15u);
}

TEST(WeakMemory, AThreadNeverGoesBackInModificationOrder) {
  const Threads threads{[] { store(g_x, 1, kRlx); store(g_x, 2, kRlx); },
                        [] { g_out[0] = load(g_x, kRlx); g_out[1] = load(g_x, kRlx); }};
  EXPECT_EQ(outcomes(threads, 2), (Outcomes{"00", "01", "02", "11", "12", "22"}));
}

TEST(WeakMemory, AReadModifyWriteTakesEachStoreOnce) {
  const auto add = [] { atomic_rmw<Rmw::add>(&g_x, 1u, kRlx, HEDDLE_HERE); };
  EXPECT_EQ(outcomes({add, add, add, add}, 0, true), (Outcomes{"/40"}));
}

// C++20: a release sequence continues through read-modify-writes of any thread and order, and not through plain stores.
TEST(WeakMemory, AReleaseSequenceContinuesThroughReadModifyWrites) {
  const auto reader = [] { g_out[0] = load(g_y, kAcq); g_out[1] = load(g_x, kRlx); };
  const Threads updates{[] { store(g_x, 1, kRlx); store(g_y, 1, kRel); }, [] { atomic_rmw<Rmw::add>(&g_y, 2u, kRlx, HEDDLE_HERE); }, reader};
  EXPECT_EQ(outcomes(updates, 2).count("30"), 0u);
  const Threads stores{[] { store(g_x, 1, kRlx); store(g_y, 1, kRel); store(g_y, 3, kRlx); }, reader};
  EXPECT_EQ(outcomes(stores, 2).count("30"), 1u);
}

TEST(WeakMemory, FencesSynchronise) {
  const Threads threads{[] { store(g_x, 1, kRlx); atomic_fence(kRel, HEDDLE_HERE); store(g_y, 1, kRlx); },
                        [] { g_out[0] = load(g_y, kRlx); atomic_fence(kAcq, HEDDLE_HERE); g_out[1] = load(g_x, kRlx); }};
  EXPECT_EQ(outcomes(threads, 2), (Outcomes{"00", "01", "11"}));
}

TEST(WeakMemory, ACompareAndSwapMayReadAnOldStore) {
  const Threads threads{[] { store(g_x, 1, kRlx); store(g_y, 1, kRlx); },
                        [] { g_out[0] = load(g_y, kRlx); g_out[1] = atomic_cas(&g_x, 1u, 2u, kRlx, kRlx, false, HEDDLE_HERE).old; }};
  EXPECT_EQ(outcomes(threads, 2, true), (Outcomes{"00/11", "01/21", "10/11", "11/21"}));
}

TEST(WeakMemory, AThreadThatSpinsSeesTheStoreInTheEnd) {
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    Schedule schedule;
    schedule.seed = seed;
    schedule.memory_model = MemoryModel::rc11;
    const Result r = run(schedule, [] {
      g_x = 0;
      std::thread setter([] { store(g_x, 1, kRlx); });
      while (load(g_x, kRlx) == 0) {}
      setter.join();
    });
    ASSERT_TRUE(r.finished()) << seed;
  }
}

}  // namespace
}  // namespace heddle::test
