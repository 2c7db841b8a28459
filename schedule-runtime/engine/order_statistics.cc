#include "engine/order_statistics.h"

#include <algorithm>
#include <cstring>

#include "trace/recorder.h"

namespace heddle::rt {

constinit OrderStatistics g_order_statistics;

void OrderStatistics::begin() {
  sampled_ = 0;
  orders_.initialise(12);
  pairs_.initialise(8);
  orders_.clear();
  pairs_.clear();
  places_.initialise(8);
  places_.clear();
  if (!begun_) uses_.reserve(Recorder::kMaxObjects);
  begun_ = true;
  executions_ = once_ = both_ways_ = in_conflict_ = 0;
}

void OrderStatistics::look(const RunSummary& run) {
  if (run.object_count > Recorder::kMaxObjects) return;
  memset(uses_.data(), 0, run.object_count * sizeof(Use));
  const auto counts = [](const Event& e) {
    return e.object != 0 && !kind_info(e.kind).has(kPassive) && !kind_info(e.kind).has(kThread);
  };
  for (uint32_t i = 0; i < run.event_count; ++i) {
    const Event& e = run.events[i];
    if (!counts(e)) continue;
    Use& u = uses_[e.object];
    const uint32_t thread = e.thread + 1;
    if (u.thread == 0) u.thread = thread;
    u.threads |= u.thread != thread;
    if (!kind_info(e.kind).has(kWrites)) continue;
    if (u.writer == 0) u.writer = thread;
    u.writers |= u.writer != thread;
  }
  bool inserted;
  for (uint32_t i = 0; i < run.event_count; ++i) {
    const Event& e = run.events[i];
    if (!counts(e)) continue;
    const Use& u = uses_[e.object];
    const bool another_writes = u.writer != 0 && (u.writers || u.writer != e.thread + 1);
    const bool conflict = kind_info(e.kind).has(kWrites) ? u.threads : another_writes;
    uint32_t& place = places_.find_or_insert(e.site, inserted);
    in_conflict_ += conflict && place == 0;
    place |= conflict;
  }
}

void OrderStatistics::count(uint64_t order, const RunSummary& run) {
  last_ = order;
  if (!begun_) return;
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
  if (!in_sample(order)) return;
  if (orders_.size() == kMostOrders) thin_out();
  if (!in_sample(order)) return;
  uint32_t& times = orders_.find_or_insert(order, inserted);
  once_ += times == 0;
  once_ -= times == 1;
  if (times < 2) ++times;
}

// Half of the orders go. The others stand for all from now on.
void OrderStatistics::thin_out() {
  ++sampled_;
  once_ = 0;
  orders_.keep([&](uint64_t order, uint32_t times) {
    if (!in_sample(order)) return false;
    once_ += times == 1;
    return true;
  });
}

}  // namespace heddle::rt
