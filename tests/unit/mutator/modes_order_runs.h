// Recorded runs for the tests of the order modes.
#pragma once

#include <vector>

#include "mutator/modes/order_source.h"
#include "parent.h"

namespace heddle::mutator {

// A Parent with channels and selects.
struct OrderRun : Parent {
  std::vector<ChannelRecord> channels;
  std::vector<SelectCase> cases;
  std::vector<ChainResult> chains;

  void channel(uint32_t object, uint32_t capacity) { channels.push_back({900 + object, object, capacity, 0, 1, 0, 0}); }
  uint32_t last() const { return static_cast<uint32_t>(events.size() - 1); }

  RunSummary whole() const {
    RunSummary s = summary();
    s.channels = channels.data();
    s.channel_count = static_cast<uint32_t>(channels.size());
    s.select_cases = cases.data();
    s.select_case_count = static_cast<uint32_t>(cases.size());
    s.chains = chains.data();
    s.chain_count = static_cast<uint32_t>(chains.size());
    return s;
  }
  OrderSource source(const OrderRules& rules, const Schedule& schedule = {}) const { return {rules, whole(), schedule}; }
  // The n-th event (from 1) of the thread at that line.
  uint32_t at(uint32_t thread, SiteId line, uint32_t n = 1) const {
    for (uint32_t i = 0; i < events.size(); ++i) {
      if (events[i].thread == thread && events[i].site == line && --n == 0) return i;
    }
    return kNone;
  }
};

// The mixed deadlock of Kubernetes (docs/design/gopie.md#a-worked-example), in the run that goes well: one thread receives and locks,
// twice; two lock, send, unlock. Sites are the line numbers there; threads 1, 2, 3 are G1, G2, G3.
struct Kubernetes : OrderRun {
  static constexpr uint32_t kMutex = 1, kChannel = 2;
  Kubernetes() {
    channel(kChannel, 0);
    for (uint32_t sender : {2u, 3u}) {
      add(sender, 17, Kind::mutex_lock, kMutex);
      add(sender, 18, Kind::channel_send, kChannel).partner = static_cast<uint32_t>(events.size());
      add(1, 10, Kind::channel_receive, kChannel).partner = last() - 1;
      add(sender, 19, Kind::mutex_unlock, kMutex);
      add(1, 11, Kind::mutex_lock, kMutex);
      add(1, 12, Kind::mutex_unlock, kMutex);
    }
  }
};

// Two critical sections, one after the other.
struct TwoSections : OrderRun {
  TwoSections() {
    add(1, 11, Kind::mutex_lock, 1);
    add(1, 12, Kind::mutex_unlock, 1);
    add(2, 21, Kind::mutex_lock, 1);
    add(2, 22, Kind::mutex_unlock, 1);
  }
};

}  // namespace heddle::mutator
