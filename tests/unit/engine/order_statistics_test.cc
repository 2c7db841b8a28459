#include "engine/order_statistics.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "schema/identity.h"

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

TEST(OrderStatistics, ManyOrdersAreSampled) {
  auto s = std::make_unique<OrderStatistics>();
  s->begin();
  const RunSummary run{};
  constexpr uint64_t kOnce = 400'000, kTwice = 100'000;
  for (uint64_t i = 0; i < kOnce + kTwice; ++i) {
    const uint64_t order = mix(i, 0x51) | 1;
    s->count(order, run);
    if (i >= kOnce) s->count(order, run);
    if (i == 60'000) EXPECT_EQ(s->figures().orders, i + 1);  // few orders are exact
  }
  const auto f = s->figures();
  EXPECT_EQ(f.executions, kOnce + 2 * kTwice);
  EXPECT_NEAR(static_cast<double>(f.orders), kOnce + kTwice, 0.03 * (kOnce + kTwice));
  EXPECT_NEAR(static_cast<double>(f.seen_once), kOnce, 0.03 * kOnce);
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

TEST(OrderStatistics, PlacesWhereTwoThreadsWereInConflict) {
  auto s = std::make_unique<OrderStatistics>();
  s->begin();
  std::vector<Event> events;
  const auto add = [&](uint32_t thread, SiteId site, Kind kind, uint32_t object) {
    Event e{};
    e.thread = thread, e.site = site, e.kind = kind, e.object = object;
    events.push_back(e);
  };
  add(0, 10, Kind::atomic_store, 1);
  add(1, 11, Kind::atomic_load, 1);
  add(0, 12, Kind::atomic_load, 2);  // two threads, but both only read
  add(1, 13, Kind::atomic_load, 2);
  add(0, 14, Kind::mutex_lock, 3);  // one thread
  RunSummary run{};
  run.events = events.data();
  run.event_count = static_cast<uint32_t>(events.size());
  run.object_count = 4;
  s->look(run);
  EXPECT_EQ(s->figures().places, 5u);
  EXPECT_EQ(s->figures().in_conflict, 2u);
  EXPECT_EQ(s->figures().new_order(), 1);
}

}  // namespace
}  // namespace heddle::rt
