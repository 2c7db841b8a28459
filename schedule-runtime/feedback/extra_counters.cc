#include "feedback/extra_counters.h"

namespace heddle::rt {
namespace {

// libFuzzer clears in words. A size or alignment that is not a multiple of 8 would clear bytes of neighbours.
static_assert(kCounters % 64 == 0);
__attribute__((section("__libfuzzer_extra_counters"), aligned(64), used)) constinit uint8_t g_counters[kCounters] = {};

}  // namespace

void write_extra_counters(const Feature* features, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) g_counters[features[i].counter] = features[i].value;
}

const uint8_t* extra_counters() { return g_counters; }

}  // namespace heddle::rt
