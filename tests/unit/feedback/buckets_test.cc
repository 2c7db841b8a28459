#include "feedback/buckets.h"

#include <gtest/gtest.h>

#include "feedback/extra_counters.h"

extern "C" uint8_t __start___libfuzzer_extra_counters[];
extern "C" uint8_t __stop___libfuzzer_extra_counters[];

namespace heddle::rt {
namespace {

// libFuzzer's CounterToFeature(), as its source has it.
int reference_bucket(unsigned counter) {
  if (counter >= 128) return 7;
  if (counter >= 32) return 6;
  if (counter >= 16) return 5;
  if (counter >= 8) return 4;
  if (counter >= 4) return 3;
  if (counter >= 3) return 2;
  if (counter >= 2) return 1;
  return 0;
}

TEST(Buckets, AreLibFuzzers) {
  for (unsigned v = 1; v < 256; ++v) EXPECT_EQ(bucket_of(static_cast<uint8_t>(v)), reference_bucket(v)) << v;
}

TEST(Buckets, ValuesRoundTrip) {
  for (int b = 0; b < kBuckets; ++b) EXPECT_EQ(bucket_of(value_of_bucket(b)), b);
}

TEST(ExtraCounters, SectionIsWhatLibFuzzerWants) {
  EXPECT_EQ(extra_counters(), __start___libfuzzer_extra_counters);
  const auto size = __stop___libfuzzer_extra_counters - __start___libfuzzer_extra_counters;
  EXPECT_EQ(size, kCounters);
  EXPECT_EQ(size % 64, 0);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(__start___libfuzzer_extra_counters) % 64, 0u);
}

}  // namespace
}  // namespace heddle::rt
