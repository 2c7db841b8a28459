#include "feedback/collector.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <utility>

#include "schema/identity.h"

namespace heddle::rt {
namespace {

struct CollectorTest : ::testing::Test {
  std::unique_ptr<Collector> c = std::make_unique<Collector>();
  Feature out[Collector::kMaxTouched];
  bool novel = false;
};

// As a hash of what was met would be: any number, in the upper bits too.
uint64_t thing(uint64_t n) { return mix(n, 0x71116); }

TEST_F(CollectorTest, NovelOnceForEachBucket) {
  const auto run = [this](uint32_t amount) {
    c->begin();
    c->add(kFirstOrderCounter, Interest::order_class, amount);
    EXPECT_EQ(c->select(48, out, novel), 1u);
    EXPECT_EQ(out[0].counter, kFirstOrderCounter);
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

TEST_F(CollectorTest, AHashedThingIsAFeatureForEachBucketOfHowOftenItWasThere) {
  std::set<std::pair<uint16_t, uint8_t>> features;
  for (const int often : {1, 2, 3, 4, 7, 8, 15, 200}) {
    c->begin();
    for (int i = 0; i < often; ++i) c->add_hashed(thing(1), Interest::pair);
    ASSERT_EQ(c->select(48, out, novel), 1u);
    EXPECT_GE(out[0].counter, kFirstHashedCounter);
    EXPECT_LT(out[0].counter, kCounters);
    features.insert({out[0].counter, out[0].value});
    EXPECT_EQ(novel, often != 7 && often != 15) << often;
  }
  EXPECT_EQ(features.size(), 6u);
}

// The engine has eight features for each counter, and all of them are used: things fall together as rarely as among so many places.
TEST_F(CollectorTest, ThingsAreSpreadOverCountersAndBuckets) {
  std::set<std::pair<uint16_t, uint8_t>> features;
  constexpr int kThings = 1000;
  for (int i = 0; i < kThings; ++i) {
    c->begin();
    c->add_hashed(thing(static_cast<uint64_t>(i)), Interest::pair);
    ASSERT_EQ(c->select(48, out, novel), 1u);
    features.insert({out[0].counter, out[0].value});
  }
  // Of n things in m places m(1 - (1 - 1/m)^n) differ: 934 here; with one place for each counter it would be 602.
  EXPECT_GT(features.size(), 900u);
}

// A run reports a counter once. Of two things that share one the new one is it.
TEST_F(CollectorTest, OfTwoThatShareACounterTheNewOneIsReported) {
  const auto counter_of = [this](uint64_t n) {
    Collector fresh;
    fresh.begin();
    fresh.add_hashed(thing(n), Interest::pair);
    fresh.select(48, out, novel);
    return out[0];
  };
  const Feature first = counter_of(0);
  uint64_t other = 1;
  while (counter_of(other).counter != first.counter || counter_of(other).value == first.value) ++other;
  c->begin();
  c->add_hashed(thing(0), Interest::pair);
  c->select(48, out, novel);
  c->begin();
  c->add_hashed(thing(0), Interest::pair);
  c->add_hashed(thing(other), Interest::pair);
  ASSERT_EQ(c->select(48, out, novel), 1u);
  EXPECT_TRUE(novel);
  EXPECT_EQ(out[0].value, counter_of(other).value);
}

TEST_F(CollectorTest, CountsWithinOneRunOnly) {
  for (int run = 0; run < 3; ++run) {
    c->begin();
    c->add(kFirstChainCounter, Interest::chain);
    c->add(kFirstChainCounter, Interest::chain);
    ASSERT_EQ(c->select(48, out, novel), 1u);
    EXPECT_EQ(out[0].value, 2);
  }
}

TEST_F(CollectorTest, TheLimitHoldsAndTheTellingOnesStay) {
  std::set<uint16_t> pairs;
  for (uint64_t i = 0; i < 10; ++i) {
    c->begin();
    c->add_hashed(thing(1000 + i), Interest::pair);
    c->select(48, out, novel);
    pairs.insert(out[0].counter);
  }
  c = std::make_unique<Collector>();
  c->begin();
  for (uint64_t i = 0; i < 100; ++i) c->add_hashed(thing(i), Interest::contention);
  for (uint64_t i = 0; i < 10; ++i) c->add_hashed(thing(1000 + i), Interest::pair);
  c->add(0, Interest::constant);
  ASSERT_EQ(c->select(16, out, novel), 16u);
  EXPECT_EQ(out[0].counter, 0);
  size_t found = 0;
  for (int i = 1; i < 16; ++i) found += pairs.contains(out[i].counter);
  EXPECT_GE(found, pairs.size());
}

TEST_F(CollectorTest, WhatWasNeverSeenComesBeforeWhatWas) {
  c->begin();
  for (uint32_t i = 0; i < 20; ++i) c->add(kFirstOrderCounter + i, Interest::pair);
  c->select(48, out, novel);
  c->begin();
  for (uint32_t i = 0; i < 20; ++i) c->add(kFirstOrderCounter + i, Interest::pair);
  c->add_hashed(thing(1), Interest::contention);
  ASSERT_EQ(c->select(5, out, novel), 5u);
  EXPECT_GE(out[0].counter, kFirstHashedCounter);
  EXPECT_TRUE(novel);
}

// What the limit drops the engine never sees: it must stay new.
TEST_F(CollectorTest, DroppedFeaturesAreNotSeen) {
  const auto twenty = [this] {
    c->begin();
    for (uint32_t i = 0; i < 20; ++i) c->add(kFirstOrderCounter + i, Interest::pair);
  };
  twenty();
  c->select(5, out, novel);
  EXPECT_EQ(c->distinct_seen(), 5u);
  twenty();
  c->select(20, out, novel);
  EXPECT_TRUE(novel);
  EXPECT_EQ(c->distinct_seen(), 20u);
}

TEST_F(CollectorTest, MoreThingsThanFitAreCut) {
  c->begin();
  for (uint64_t i = 0; i < 10 * Collector::kMaxTouched; ++i) c->add_hashed(thing(i), Interest::pair);
  EXPECT_EQ(c->touched(), Collector::kMaxTouched);
}

// What AFL++ sees of a run must not depend on what was seen before: it has a place for each bucket, so all of a counter's are reported.
TEST_F(CollectorTest, WithPlacesForBucketsARunIsReportedTheSameEachTime) {
  const auto run = [this](bool places, uint32_t limit = Collector::kMaxTouched) {
    c->begin();
    for (uint64_t i = 0; i < 300; ++i) c->add_hashed(thing(i), Interest::pair);
    std::set<std::pair<uint16_t, uint8_t>> features;
    const uint32_t n = c->select(limit, out, novel, places);
    for (uint32_t i = 0; i < n; ++i) features.insert({out[i].counter, out[i].value});
    return features;
  };
  const auto one_each = run(false);
  EXPECT_NE(run(false), one_each);  // what shares a counter has its turn
  const auto all = run(true);
  EXPECT_GT(all.size(), one_each.size());
  for (int i = 0; i < 5; ++i) EXPECT_EQ(run(true), all);
  const auto some = run(true, 48);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(run(true, 48), some);
}

}  // namespace
}  // namespace heddle::rt
