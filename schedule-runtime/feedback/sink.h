// Where features go: the engine's array. Exactly one sink is at work in a process.
#pragma once

#include <cstdint>

namespace heddle::rt {

// 1 KiB: libFuzzer clears and goes through them in every run, 1,800 instructions for each KiB.
inline constexpr uint32_t kCounters = 1024;

// A counter with its value in this run, never 0.
struct Feature {
  uint16_t counter;
  uint8_t value;
};

// Called once per run, when it has ended, with each counter at most once. The engine has cleared its array before the run.
using Sink = void (*)(const Feature* features, uint32_t count);

// Null: the sink of the engine that is linked, AFL++'s map or libFuzzer's extra counters.
void set_sink(Sink sink);
void write_features(const Feature* features, uint32_t count);

}  // namespace heddle::rt
