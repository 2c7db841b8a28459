// Which runs count as one order.
#include "engine/known_orders.h"

#include <gtest/gtest.h>

#include <memory>

#include "tests/unit/analyses/run_builder.h"

namespace heddle::rt {
namespace {

using testing::RunBuilder;

KnownOrders& orders() {
  static auto* const made = [] {
    auto* o = new KnownOrders;
    o->initialise(64, 1024);
    return o;
  }();
  return *made;
}

// Two threads in addition to main, and what they do.
template <typename Do>
uint64_t order_of(Do what) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), u = b.thread(0, 11), x = b.object(), y = b.object();
  what(b, t, u, x, y);
  return orders().order_of(b.run());
}

TEST(KnownOrders, WhatDoesNotMeetComesInAnyOrder) {
  const uint64_t one = order_of([](RunBuilder& b, uint32_t t, uint32_t u, uint32_t x, uint32_t y) {
    b.op(t, Kind::atomic_rmw, x, 20);
    b.op(u, Kind::atomic_rmw, y, 30);
  });
  const uint64_t other = order_of([](RunBuilder& b, uint32_t t, uint32_t u, uint32_t x, uint32_t y) {
    b.op(u, Kind::atomic_rmw, y, 30);
    b.op(t, Kind::atomic_rmw, x, 20);
  });
  EXPECT_EQ(one, other);
}

TEST(KnownOrders, OnOneObjectTheOrderCounts) {
  const auto order = [](bool swapped) {
    return order_of([swapped](RunBuilder& b, uint32_t t, uint32_t u, uint32_t x, uint32_t) {
      if (swapped) std::swap(t, u);
      b.op(t, Kind::atomic_rmw, x, 20);
      b.op(u, Kind::atomic_rmw, x, 20);
    });
  };
  EXPECT_NE(order(false), order(true));
}

TEST(KnownOrders, LoadsHaveNoOrderAmongThemselves) {
  const auto order = [](int store_at) {
    return order_of([store_at](RunBuilder& b, uint32_t t, uint32_t u, uint32_t x, uint32_t) {
      if (store_at == 0) b.op(0, Kind::atomic_store, x, 40);
      b.op(t, Kind::atomic_load, x, 20);
      if (store_at == 1) b.op(0, Kind::atomic_store, x, 40);
      b.op(u, Kind::atomic_load, x, 30);
      if (store_at == 2) b.op(0, Kind::atomic_store, x, 40);
    });
  };
  const uint64_t swapped = order_of([](RunBuilder& b, uint32_t t, uint32_t u, uint32_t x, uint32_t) {
    b.op(u, Kind::atomic_load, x, 30);
    b.op(t, Kind::atomic_load, x, 20);
    b.op(0, Kind::atomic_store, x, 40);
  });
  EXPECT_EQ(order(2), swapped);
  EXPECT_NE(order(0), order(1));
  EXPECT_NE(order(1), order(2));
  EXPECT_NE(order(0), order(2));
}

TEST(KnownOrders, OutcomesAndValuesCount) {
  const auto order = [](Outcome outcome, uint32_t value) {
    return order_of([=](RunBuilder& b, uint32_t t, uint32_t, uint32_t x, uint32_t) {
      b.op(t, Kind::mutex_trylock, x, 20, outcome);
      b.events().back().value = value;
    });
  };
  EXPECT_NE(order(Outcome::success, 0), order(Outcome::failure, 0));
  EXPECT_NE(order(Outcome::success, 0), order(Outcome::success, 1));
}

TEST(KnownOrders, AWaitGivesItsMutexBack) {
  const auto order = [](bool before) {
    return order_of([before](RunBuilder& b, uint32_t t, uint32_t u, uint32_t m, uint32_t c) {
      const auto wait = [&] {
        b.op(t, Kind::cond_wait, c, 20);
        b.events().back().choice = m;
      };
      if (before) wait();
      b.op(u, Kind::mutex_trylock, m, 30);
      if (!before) wait();
    });
  };
  EXPECT_NE(order(true), order(false));
}

// Two stores and a load, always executed in this order, under a weak memory model.
uint64_t weak_order(uint32_t read, bool overtaken) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), u = b.thread(0, 11), x = b.object();
  const uint32_t first = b.op(t, Kind::atomic_store, x, 20), second = b.op(u, Kind::atomic_store, x, 30);
  b.op(0, Kind::atomic_load, x, 40, Outcome::none, read == 1 ? first : read == 2 ? second : kNoEvent);
  const StoreOrder stores[] = {{first, overtaken ? second : kNoEvent, 0}, {second, overtaken ? kNoEvent : first, overtaken ? 1u : 0u}};
  RunSummary run = b.run();
  run.coherence = stores;
  run.coherence_count = 2;
  return orders().order_of(run, true);
}

TEST(KnownOrders, WhichStoreIsReadCounts) {
  EXPECT_EQ(weak_order(1, false), weak_order(1, false));
  EXPECT_NE(weak_order(0, false), weak_order(1, false));
  EXPECT_NE(weak_order(1, false), weak_order(2, false));
}

TEST(KnownOrders, TheModificationOrderCounts) { EXPECT_NE(weak_order(0, false), weak_order(0, true)); }

TEST(KnownOrders, ThatOfAWeakRunIsNoneOfSc) {
  RunBuilder b;
  b.op(0, Kind::atomic_load, b.object(), 20);
  EXPECT_NE(orders().order_of(b.run(), true), orders().order_of(b.run(), false));
}

TEST(KnownOrders, AreTrustedAfterManyKnownOnes) {
  KnownOrders o;
  o.initialise(8, 8);
  const auto share = [&o] {
    int likely = 0;
    for (uint64_t i = 0; i < 3200; ++i) likely += o.likely(i);
    return likely;
  };
  EXPECT_FALSE(o.contains(5));
  o.add(5);
  EXPECT_TRUE(o.contains(5));
  EXPECT_EQ(share(), 0);
  for (int i = 0; i < 200; ++i) o.learn(true);
  EXPECT_NEAR(share(), 3150, 30);  // one in 64 is watched in any case
  for (int i = 0; i < 9; ++i) o.learn(false);
  EXPECT_EQ(share(), 0);
  // Half of them known is not enough.
  for (int i = 0; i < 1000; ++i) o.learn(i % 2 != 0);
  EXPECT_EQ(share(), 0);
}

}  // namespace
}  // namespace heddle::rt
