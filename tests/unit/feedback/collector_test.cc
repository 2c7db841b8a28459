#include "feedback/collector.h"

#include <gtest/gtest.h>

#include <memory>

namespace heddle::rt {
namespace {

struct CollectorTest : ::testing::Test {
  std::unique_ptr<Collector> c = std::make_unique<Collector>();
  Feature out[Collector::kMaxTouched];
  bool novel = false;
};

TEST_F(CollectorTest, NovelOnceForEachBucket) {
  const auto run = [this](uint32_t amount) {
    c->begin();
    c->add(200, Interest::pair, amount);
    EXPECT_EQ(c->select(48, out, novel), 1u);
    EXPECT_EQ(out[0].counter, 200);
    return novel;
  };
  EXPECT_TRUE(run(1));
  EXPECT_FALSE(run(1));
  EXPECT_TRUE(run(4));
  EXPECT_FALSE(run(7));  // the bucket of 4
  EXPECT_TRUE(run(8));
  EXPECT_TRUE(run(100000));
  EXPECT_EQ(out[0].value, 255);
  EXPECT_EQ(c->distinct_seen(), 4u);
}

TEST_F(CollectorTest, CountsWithinOneRunOnly) {
  for (int run = 0; run < 3; ++run) {
    c->begin();
    c->add(300, Interest::pair);
    c->add(300, Interest::pair);
    ASSERT_EQ(c->select(48, out, novel), 1u);
    EXPECT_EQ(out[0].value, 2);
  }
}

TEST_F(CollectorTest, TheLimitHoldsAndTheTellingOnesStay) {
  c->begin();
  for (uint32_t i = 0; i < 100; ++i) c->add(1000 + i, Interest::contention);
  for (uint32_t i = 0; i < 10; ++i) c->add(2000 + i, Interest::pair);
  c->add(0, Interest::constant);
  ASSERT_EQ(c->select(16, out, novel), 16u);
  EXPECT_EQ(out[0].counter, 0);
  int pairs = 0;
  for (int i = 0; i < 16; ++i) pairs += out[i].counter >= 2000;
  EXPECT_EQ(pairs, 10);
}

TEST_F(CollectorTest, WhatWasNeverSeenComesBeforeWhatWas) {
  c->begin();
  for (uint32_t i = 0; i < 20; ++i) c->add(1000 + i, Interest::pair);
  c->select(48, out, novel);
  c->begin();
  for (uint32_t i = 0; i < 20; ++i) c->add(1000 + i, Interest::pair);
  c->add(3000, Interest::contention);
  ASSERT_EQ(c->select(5, out, novel), 5u);
  EXPECT_EQ(out[0].counter, 3000);
  EXPECT_TRUE(novel);
}

// What the limit drops the engine never sees: it must stay new.
TEST_F(CollectorTest, DroppedFeaturesAreNotSeen) {
  c->begin();
  for (uint32_t i = 0; i < 20; ++i) c->add(1000 + i, Interest::pair);
  c->select(5, out, novel);
  EXPECT_EQ(c->distinct_seen(), 5u);
  c->begin();
  for (uint32_t i = 0; i < 20; ++i) c->add(1000 + i, Interest::pair);
  c->select(20, out, novel);
  EXPECT_TRUE(novel);
  EXPECT_EQ(c->distinct_seen(), 20u);
}

TEST_F(CollectorTest, MoreCountersThanFitAreCut) {
  c->begin();
  for (uint32_t i = 0; i < kCounters; ++i) c->add(i, Interest::pair);
  EXPECT_EQ(c->touched(), Collector::kMaxTouched);
}

}  // namespace
}  // namespace heddle::rt
