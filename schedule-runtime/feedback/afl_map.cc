#include "feedback/afl_map.h"

#include "base/afl.h"
#include "feedback/buckets.h"
#include "feedback/collector.h"

// AFL++'s runtime has it, and so have others.
extern "C" __attribute__((weak)) void __sanitizer_cov_trace_pc_guard_init(uint32_t* start, uint32_t* stop);

namespace heddle::rt {
namespace {

constinit uint32_t g_guards[kCounters * kBuckets] = {};

// The one constructor of the runtime: AFL++ fixes the size of its map in one of priority 3, and what has no guard by then has no
// place in it.
__attribute__((constructor(2), used)) void take_guards() {
  if (afl_linked()) __sanitizer_cov_trace_pc_guard_init(g_guards, g_guards + kCounters * kBuckets);
}

bool is_order_class(uint32_t counter) { return counter >= kFirstOrderCounter && counter < kFirstOrderCounter + kOrderCounters; }

}  // namespace

// A place is what libFuzzer calls a feature: a counter and a bucket of its value. AFL++ tells values in one place apart, too, when it decides what to keep,
// but the entries that it then works with are one for each place: those that only count higher would hardly ever have their turn. Orders alone have one of
// 64 classes here instead of 64 x 8: afl-fuzz runs each input that it keeps three times more, so that keeping one for its order alone is dearer.
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
