#include "engine/order_statistics.h"

#include <algorithm>

namespace heddle::rt {

constinit OrderStatistics g_order_statistics;

void OrderStatistics::begin() {
  orders_.initialise(12);
  pairs_.initialise(8);
  orders_.clear();
  pairs_.clear();
  begun_ = true;
  executions_ = once_ = both_ways_ = 0;
}

void OrderStatistics::count(uint64_t order, const RunSummary& run) {
  bool inserted;
  for (uint32_t i = 0; i < run.race_count; ++i) {
    const RacingPair& p = run.races[i];
    if (p.first == p.second) continue;  // one position: both ways are the same
    uint32_t& ways = pairs_.find_or_insert(mix(std::min(p.first, p.second), std::max(p.first, p.second)) | 1, inserted);
    const uint32_t before = ways;
    ways |= p.first < p.second ? 1 : 2;
    both_ways_ += before != 3 && ways == 3;
  }
  if (order == 0) return;
  ++executions_;
  uint32_t& times = orders_.find_or_insert(order, inserted);
  once_ += times == 0;
  once_ -= times == 1;
  if (times < 2) ++times;
}

}  // namespace heddle::rt
