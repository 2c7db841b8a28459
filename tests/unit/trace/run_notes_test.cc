#include "trace/run_notes.h"

#include <gtest/gtest.h>

namespace heddle::rt {
namespace {

constinit TimeNotes g_notes;

TEST(TimeNotes, HaveTheTimeSinceTheOneBefore) {
  g_notes.begin(1000);
  g_notes.add(3, 1500, false);
  g_notes.add(7, 1500, true);
  g_notes.add(9, 4500, false);
  EXPECT_EQ(g_notes.passed_before(3), 500u);
  EXPECT_EQ(g_notes.passed_before(7), 0u);
  EXPECT_EQ(g_notes.passed_before(9), 3000u);
  for (const uint32_t other : {0u, 4u, 8u, 10u}) EXPECT_EQ(g_notes.passed_before(other), 0u) << other;
  EXPECT_EQ(g_notes.early(), 1u);
  EXPECT_EQ(g_notes.last_early(), 7u);
}

TEST(TimeNotes, OfALongRunTheLastOnesAreKept) {
  constexpr uint32_t kCount = 3 * TimeNotes::kMost + 5;
  g_notes.begin(0);
  for (uint32_t i = 0; i < kCount; ++i) g_notes.add(2 * i, 10 * (i + 1), false);
  for (uint32_t i = 0; i < kCount; ++i) {
    EXPECT_EQ(g_notes.passed_before(2 * i), i < kCount - TimeNotes::kMost ? 0u : 10u) << i;
    EXPECT_EQ(g_notes.passed_before(2 * i + 1), 0u) << i;
  }
  g_notes.begin(0);
  EXPECT_EQ(g_notes.passed_before(2 * (kCount - 1)), 0u);
}

}  // namespace
}  // namespace heddle::rt
