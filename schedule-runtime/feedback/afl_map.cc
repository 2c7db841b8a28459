#include "feedback/afl_map.h"

#include "base/afl.h"
#include "feedback/buckets.h"
#include "feedback/collector.h"

// AFL++'s runtime defines it, and other runtimes do, too.
extern "C" __attribute__((weak)) void __sanitizer_cov_trace_pc_guard_init(uint32_t* start, uint32_t* stop);

namespace heddle::rt {
namespace {

constinit uint32_t g_guards[kCounters * kBuckets] = {};

// The only constructor of heddle's runtime. AFL++ fixes the size of its map in a constructor of priority 3. Only guards that exist by then
// have a place in the map.
__attribute__((constructor(2), used)) void take_guards() {
  if (afl_linked()) __sanitizer_cov_trace_pc_guard_init(g_guards, g_guards + kCounters * kBuckets);
}

bool is_order_class(uint32_t counter) { return counter >= kFirstOrderCounter && counter < kFirstOrderCounter + kOrderCounters; }

}  // namespace

// A place in the map is what libFuzzer calls a feature: a counter and a bucket of its value. AFL++ distinguishes values in one place when
// it decides what to keep. But later it picks one entry for each place, so entries that only have a higher count would hardly be used. The
// order alone has one of 64 classes here instead of 64 x 8: afl-fuzz runs each kept input three more times, so keeping one only for its
// order is more expensive.
void write_afl_map(const Feature* features, uint32_t count) {
  uint8_t* const map = __afl_area_ptr;
  for (uint32_t i = 0; i < count; ++i) {
    const auto [counter, value] = features[i];
    const uint32_t guard = g_guards[counter * kBuckets + (is_order_class(counter) ? 0 : bucket_of(value))];
    if (guard != 0) map[guard] = 1;
  }
  publish_afl_counters();
}

}  // namespace heddle::rt
