// A thousand rendezvous with another thread that are not part of the bug: the next operations of the other threads practically
// always happens meanwhile, so that the recorded run is a good one, and random schedules are no help.
#pragma once

#include <heddle/csp.h>

namespace {
[[maybe_unused]] void noise() {
  constexpr int kRuns = 1000;
  const heddle::chan<int> c = heddle::make_chan<int>();
  heddle::go([c] {
    for (int i = 0; i < kRuns; ++i) c.send(1);
  });
  for (int i = 0; i < kRuns; ++i) c.receive();
}
}  // namespace
