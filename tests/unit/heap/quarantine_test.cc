#include "heap/quarantine.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

namespace heddle::rt {
namespace {

std::vector<void*> g_given_back;

Quarantine& fresh() {
  static constinit Quarantine q([](void* block) { g_given_back.push_back(block); });
  q.drain();
  q.begin(true);
  g_given_back.clear();
  return q;
}

void* block(size_t n) { return reinterpret_cast<void*>(16 * (n + 1)); }

RC_GTEST_PROP(Quarantine, TheOldestLeaveWhenItIsFull, (const std::vector<std::pair<uint16_t, uint8_t>>& steps)) {
  Quarantine& q = fresh();
  std::deque<std::pair<void*, size_t>> model;
  std::vector<void*> gone;
  size_t bytes = 0, next = 0;
  const auto leave = [&] {
    gone.push_back(model.front().first);
    bytes -= model.front().second;
    model.pop_front();
  };
  for (const auto& [size, how] : steps) {
    if (how == 0) {
      RC_ASSERT(q.drain() == !model.empty());
      while (!model.empty()) leave();
    }
    // Adds many together, so that few steps reach both limits.
    for (uint32_t i = 0; i < how * 4u; ++i) {
      q.add(block(next), size);
      model.emplace_back(block(next++), size);
      bytes += size;
      while (model.size() > Quarantine::kMaxBlocks || bytes > Quarantine::kMaxBytes) leave();
    }
    RC_ASSERT(q.blocks() == model.size());
    RC_ASSERT(q.bytes() == bytes);
    RC_ASSERT((g_given_back == gone));
  }
}

TEST(Quarantine, IsBoundedByCountAndByBytes) {
  Quarantine& q = fresh();
  for (size_t i = 0; i < 3 * Quarantine::kMaxBlocks; ++i) q.add(block(i), 16);
  EXPECT_EQ(q.blocks(), Quarantine::kMaxBlocks);
  EXPECT_EQ(g_given_back.size(), 2 * Quarantine::kMaxBlocks);
  constexpr size_t kLarge = Quarantine::kTooLarge - 1, kMany = 2 * Quarantine::kMaxBytes / kLarge;
  for (size_t i = 0; i < kMany; ++i) q.add(block(i), kLarge);
  EXPECT_EQ(q.blocks(), Quarantine::kMaxBytes / kLarge);
  EXPECT_LE(q.bytes(), Quarantine::kMaxBytes);
}

TEST(Quarantine, SaysWhenItGivesBack) {
  static constinit Quarantine* asked = nullptr;
  static bool said = false;
  static constinit Quarantine q([](void*) { said = asked->giving_back(); });
  asked = &q;
  q.begin(true);
  q.add(block(0), 16);
  EXPECT_FALSE(q.giving_back());
  EXPECT_TRUE(q.drain());
  EXPECT_TRUE(said);
  EXPECT_FALSE(q.giving_back());
}

TEST(Quarantine, TakesNothingLargeAndNothingWhenOff) {
  Quarantine& q = fresh();
  EXPECT_TRUE(q.takes(Quarantine::kTooLarge - 1));
  EXPECT_FALSE(q.takes(Quarantine::kTooLarge));
  q.begin(false);
  EXPECT_FALSE(q.takes(16));
}

TEST(Quarantine, HalfOfAllSeedsHaveOne) {
  uint32_t chosen = 0;
  for (uint64_t seed = 0; seed < 10'000; ++seed) chosen += Quarantine::chosen(seed * 0x9E3779B97F4A7C15ull);
  EXPECT_GT(chosen, 4800u);
  EXPECT_LT(chosen, 5200u);
}

}  // namespace
}  // namespace heddle::rt
