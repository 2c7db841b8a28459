// The destination of features: the fuzzing engine's array. A process uses exactly one sink.
#pragma once

#include <cstdint>

namespace heddle::rt {

// 1 KiB. libFuzzer clears and scans them in every run, which costs 1,800 instructions per KiB.
inline constexpr uint32_t kCounters = 1024;

// A counter with its value in this run, never 0.
struct Feature {
  uint16_t counter;
  uint8_t value;
};

// Called once per run, at its end, with each counter at most once. The fuzzing engine has cleared its array before the run.
using Sink = void (*)(const Feature* features, uint32_t count);

// Null: the sink of the linked fuzzing engine, AFL++'s map or libFuzzer's extra counters.
void set_sink(Sink sink);
void write_features(const Feature* features, uint32_t count);

}  // namespace heddle::rt
