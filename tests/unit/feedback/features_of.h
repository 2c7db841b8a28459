// The features that a collecting function finds, for tests.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "feedback/collector.h"

namespace heddle::rt {

using Features = std::map<uint16_t, uint8_t>;  // counter -> value

// Each call site has a collector of its own, which lasts: what is new depends on the calls before.
template <typename Collect>
Features features_of(const Collect& collect) {
  static auto collector = std::make_unique<Collector>();
  static Feature out[Collector::kMaxTouched];
  collector->begin();
  collect(*collector);
  bool novel;
  const uint32_t n = collector->select(Collector::kMaxTouched, out, novel);
  Features result;
  for (uint32_t i = 0; i < n; ++i) result[out[i].counter] = out[i].value;
  return result;
}

}  // namespace heddle::rt
