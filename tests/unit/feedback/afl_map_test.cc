// Features in AFL++'s map, with this file in the place of its runtime.
#include "feedback/afl_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "feedback/buckets.h"
#include "feedback/collector.h"

namespace {
constexpr uint32_t kFirstPlace = 10;
constinit uint8_t g_area[heddle::rt::kCounters * heddle::rt::kBuckets + kFirstPlace] = {};
constinit uint32_t g_given = kFirstPlace;
}  // namespace

extern "C" {
constinit uint8_t* __afl_area_ptr = g_area;
void __sanitizer_cov_trace_pc_guard_init(uint32_t* start, uint32_t* stop) {
  while (start != stop) *start++ = g_given++;
}
}

namespace heddle::rt {
namespace {

void write_one(uint32_t counter, uint8_t value) {
  std::fill(std::begin(g_area), std::end(g_area), 0);
  const Feature feature{static_cast<uint16_t>(counter), value};
  write_afl_map(&feature, 1);
}

// As libFuzzer keeps an input for a counter that was higher, and then works with it: afl-fuzz works with one input for each place.
TEST(AflMap, EveryBucketOfACounterHasAPlace) {
  ASSERT_EQ(g_given, kFirstPlace + kCounters * kBuckets);
  std::set<ptrdiff_t> places;
  for (uint32_t counter : {kConstantCounter, kFirstChainCounter, kFirstHashedCounter, kCounters - 1}) {
    for (int bucket = 0; bucket < kBuckets; ++bucket) {
      write_one(counter, value_of_bucket(bucket));
      EXPECT_EQ(std::count(std::begin(g_area), std::end(g_area), 0), std::ssize(g_area) - 1);
      places.insert(std::find(std::begin(g_area), std::end(g_area), 1) - std::begin(g_area));
    }
    write_one(counter, 5);
    EXPECT_TRUE(places.contains(std::find(std::begin(g_area), std::end(g_area), 1) - std::begin(g_area))) << "4 to 7 are one";
  }
  EXPECT_EQ(places.size(), 4u * kBuckets);
  EXPECT_FALSE(places.contains(std::ssize(g_area)));
}

// An entry costs afl-fuzz three executions more: libFuzzer tells 8 orders apart where AFL++ sees one.
TEST(AflMap, AnOrderIsOneOfSixtyFourClasses) {
  for (uint32_t counter = kFirstOrderCounter; counter < kFirstOrderCounter + kOrderCounters; ++counter) {
    for (int bucket = 0; bucket < kBuckets; ++bucket) {
      write_one(counter, value_of_bucket(bucket));
      EXPECT_EQ(g_area[kFirstPlace + counter * kBuckets], 1);
    }
  }
}

}  // namespace
}  // namespace heddle::rt
