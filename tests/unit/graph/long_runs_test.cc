// The axiom SC in runs that outgrow the exact check: from one event on, views judge what psc has judged before (docs/design/weak-memory.md).
// Store buffering, round after round: two threads never both miss the other's store, on either side of the border.
#include <gtest/gtest.h>

#include <array>
#include <thread>

#include "controlled_run.h"
#include "primitives/atomic.h"
#include "trace/recorder.h"

namespace heddle::test {
namespace {

namespace atomics = rt::primitives;

constexpr int kRounds = 120;  // of two graph events for each thread: the border of 256 events is at about round 60
constexpr int kRlx = __ATOMIC_RELAXED, kSc = __ATOMIC_SEQ_CST;

struct alignas(64) Cell {
  uint32_t value[16];
};
Cell g_flags[2][kRounds];
uint32_t g_seen[2][kRounds];

enum class How { operations, fences, one_fence_is_missing };

void play(uint32_t me, How how) {
  const bool fenced = how != How::operations;
  const int order = fenced ? kRlx : kSc;
  for (int r = 0; r < kRounds; ++r) {
    atomics::atomic_store(&g_flags[me][r].value[0], 1u, order, HEDDLE_HERE);
    if (how == How::fences || (how == How::one_fence_is_missing && me == 0)) atomics::atomic_fence(kSc, HEDDLE_HERE);
    g_seen[me][r] = atomics::atomic_load(&g_flags[1 - me][r].value[0], order, HEDDLE_HERE);
  }
}

struct Missed {
  int before = 0, after = 0;  // rounds in which both missed the other's store, in the first and in the second half
  int by_views = 0;           // runs that ended by views
};

Missed missed(How how, int runs) {
  Missed m;
  for (int seed = 1; seed <= runs; ++seed) {
    Schedule schedule;
    schedule.seed = static_cast<uint64_t>(seed);
    schedule.memory_model = MemoryModel::rc11;
    schedule.strategy = seed % 2 == 0 ? StrategyId::writes_first : StrategyId::random_walk;
    const Result run = test::run(schedule, [how] {
      for (auto& line : g_flags) {
        for (Cell& c : line) c.value[0] = 0;
      }
      std::thread one(play, 0, how), other(play, 1, how);
      one.join();
      other.join();
    });
    EXPECT_TRUE(run.finished());
    for (int r = 0; r < kRounds; ++r) (r < kRounds / 2 ? m.before : m.after) += g_seen[0][r] == 0 && g_seen[1][r] == 0;
    m.by_views += (rt::recorder().summary.flags & kRunByViews) != 0;
  }
  return m;
}

TEST(LongRuns, SeqCstOperationsOrderBeyondTheExactCheck) {
  const Missed m = missed(How::operations, 60);
  EXPECT_EQ(m.by_views, 60);
  EXPECT_EQ(m.before, 0);
  EXPECT_EQ(m.after, 0);
}

TEST(LongRuns, FencesOrderBeyondTheExactCheck) {
  const Missed m = missed(How::fences, 60);
  EXPECT_EQ(m.by_views, 60);
  EXPECT_EQ(m.before, 0);
  EXPECT_EQ(m.after, 0);
}

// The twin: the views forbid no more than they must.
TEST(LongRuns, WithoutOneFenceBothMissOnBothSides) {
  const Missed m = missed(How::one_fence_is_missing, 60);
  EXPECT_GT(m.before, 0);
  EXPECT_GT(m.after, 0);
}

}  // namespace
}  // namespace heddle::test
