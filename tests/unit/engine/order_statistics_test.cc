#include "engine/order_statistics.h"

#include <gtest/gtest.h>

#include <memory>

namespace heddle::rt {
namespace {

TEST(OrderStatistics, CountsOrdersAndThoseSeenOnce) {
  auto s = std::make_unique<OrderStatistics>();
  EXPECT_FALSE(s->begun());
  s->begin();
  const RunSummary run{};
  for (const uint64_t order : {5u, 7u, 5u, 5u, 9u, 0u}) s->count(order, run);
  EXPECT_EQ(s->figures().executions, 5u);  // 0: it did not come to its end
  EXPECT_EQ(s->figures().orders, 3u);
  EXPECT_EQ(s->figures().seen_once, 2u);
  s->begin();
  EXPECT_EQ(s->figures().orders, 0u);
}

TEST(OrderStatistics, RacingPairsInBothOrders) {
  auto s = std::make_unique<OrderStatistics>();
  s->begin();
  const RacingPair there{10, 20, 0, 1, 0, {}, {}}, back{20, 10, 0, 0, 1, {}, {}}, self{30, 30, 0, 1, 1, {}, {}};
  RunSummary run{};
  run.race_count = 1;
  for (const RacingPair* p : {&there, &there, &self}) {
    run.races = p;
    s->count(1, run);
  }
  EXPECT_EQ(s->figures().pairs, 1u);
  EXPECT_EQ(s->figures().both_ways, 0u);
  run.races = &back;
  s->count(1, run);
  s->count(1, run);
  EXPECT_EQ(s->figures().pairs, 1u);
  EXPECT_EQ(s->figures().both_ways, 1u);
}

}  // namespace
}  // namespace heddle::rt
