// Long runs: what the mutator keeps of them, and that it still has something to change.
#include "mutator/knowledge/known_run.h"

#include <gtest/gtest.h>

#include "mutator/knowledge/relations.h"
#include "parent.h"

namespace heddle::mutator {
namespace {

// Main does `alone` operations before it has a thread; then the two take turns at one atomic, and the thread reads what main has stored.
Parent long_run(uint32_t alone, uint32_t rounds) {
  Parent p;
  for (uint32_t i = 0; i < alone; ++i) p.add(0, 10 + i % 5, Kind::mutex_lock, 1);
  p.add(0, 20, Kind::thread_create, 0);
  const uint32_t created = alone;
  for (uint32_t i = 0; i < rounds; ++i) {
    p.add(0, 30, Kind::atomic_store, 2);
    const auto store = static_cast<uint32_t>(p.events.size() - 1);
    p.add(1, 40, Kind::atomic_load, 2).partner = store;
  }
  p.threads[1].create_event = created;
  return p;
}

TEST(KnownRun, KeepsWhatSeveralThreadsDid) {
  const Parent p = long_run(3 * KnownRun::kMaxEvents, KnownRun::kMaxEvents);
  KnownRun run;
  run.assign(p.summary());
  ASSERT_EQ(run.events.size(), KnownRun::kMaxEvents);
  EXPECT_EQ(run.events[0].kind, Kind::thread_create);
  EXPECT_EQ(run.threads[1].create_event, 0u);
  EXPECT_EQ(run.events[1].kind, Kind::atomic_store);
  EXPECT_EQ(run.events[2].partner, 1u);
  EXPECT_FALSE(run.relations().shared().empty());
}

TEST(KnownRun, AShortRunIsWhole) {
  const Parent p = long_run(100, 50);
  KnownRun run;
  run.assign(p.summary());
  EXPECT_EQ(run.events.size(), p.events.size());
  EXPECT_EQ(run.events[102].partner, 101u);
}

TEST(KnownRun, ThreadsFromTheStartKeepTheFirstEvents) {
  const Parent p = long_run(0, 2 * KnownRun::kMaxEvents);
  KnownRun run;
  run.assign(p.summary());
  ASSERT_EQ(run.events.size(), KnownRun::kMaxEvents);
  EXPECT_EQ(run.events[0].kind, Kind::thread_create);
  EXPECT_EQ(run.events[2].partner, 1u);
}

// Out of another process's memory. Whoever looks at them shifts by these sizes.
TEST(KnownRun, DropsComparisonsWithImpossibleSizes) {
  constexpr auto kNumber = static_cast<uint8_t>(ComparisonKind::variables), kString = static_cast<uint8_t>(ComparisonKind::strings);
  Comparison seen[] = {
      {.kind = kNumber, .size = {8, 8}}, {.kind = kNumber, .size = {16, 16}}, {.kind = kNumber, .size = {4, 8}},
      {.kind = kString, .size = {24, 3}}, {.kind = kString, .size = {25, 3}},
  };
  const Parent p = long_run(1, 1);
  RunSummary summary = p.summary();
  summary.comparisons = seen;
  summary.comparison_count = 5;
  KnownRun run;
  run.assign(summary);
  ASSERT_EQ(run.comparisons.size(), 2u);
  EXPECT_EQ(run.comparisons[0].size[0], 8);
  EXPECT_EQ(run.comparisons[1].size[0], 24);
}

}  // namespace
}  // namespace heddle::mutator
