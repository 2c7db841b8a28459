// libFuzzer's extra counters: an array in a section that libFuzzer finds by its name, in the main executable only. It is
// zeroed before each call of the target and read right after it.
#pragma once

#include <cstdint>

#include "feedback/sink.h"

namespace heddle::rt {

void write_extra_counters(const Feature* features, uint32_t count);

// For tests and statistics.
const uint8_t* extra_counters();

}  // namespace heddle::rt
