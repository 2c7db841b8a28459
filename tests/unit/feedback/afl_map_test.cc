// Features in AFL++'s map, with this file in the place of its runtime.
#include "feedback/afl_map.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "feedback/buckets.h"
#include "feedback/collector.h"

namespace {
constexpr uint32_t kFirstPlace = 10;
constinit uint8_t g_area[heddle::rt::kCounters + kFirstPlace] = {};
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

TEST(AflMap, EveryCounterHasAPlaceAndItsValue) {
  ASSERT_EQ(g_given, kFirstPlace + kCounters);
  for (uint32_t counter : {kConstantCounter, kFirstChainCounter, kFirstHashedCounter, kCounters - 1}) {
    write_one(counter, 17);
    EXPECT_EQ(g_area[kFirstPlace + counter], 17);
    EXPECT_EQ(std::count(std::begin(g_area), std::end(g_area), 0), std::ssize(g_area) - 1);
  }
}

// An entry costs afl-fuzz three executions more: libFuzzer tells 8 orders apart where AFL++ sees one.
TEST(AflMap, AnOrderIsOneOfSixtyFourClasses) {
  for (uint32_t counter = kFirstOrderCounter; counter < kFirstOrderCounter + kOrderCounters; ++counter) {
    for (int bucket = 0; bucket < kBuckets; ++bucket) {
      write_one(counter, value_of_bucket(bucket));
      EXPECT_EQ(g_area[kFirstPlace + counter], 1);
    }
  }
}

}  // namespace
}  // namespace heddle::rt
