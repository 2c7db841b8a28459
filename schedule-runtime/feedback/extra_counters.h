// libFuzzer's extra counters: an array in a section with a certain name, which libFuzzer finds only in the main executable. libFuzzer
// clears it before each call of the target and reads it right afterwards.
#pragma once

#include <cstdint>

#include "feedback/sink.h"

namespace heddle::rt {

void write_extra_counters(const Feature* features, uint32_t count);

// For tests and statistics.
const uint8_t* extra_counters();

}  // namespace heddle::rt
