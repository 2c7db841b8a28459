// Which thread creates which, and when. What a thread does before it creates another one comes before all that the
// other one does, in every run.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "harness/cli/explicit_schedule.h"

namespace heddle::cli {

class ThreadOrigins {
 public:
  void add(const StoredTrace& run);
  // No schedule can have it the other way round.
  bool decide(const Order& order) const;

 private:
  using Key = std::tuple<ThreadId, SiteId, uint32_t, Kind>;
  struct Run {
    std::map<Key, uint32_t> events;
    std::map<ThreadId, std::pair<ThreadId, uint32_t>> created;  // by whom, and with which event
  };
  std::vector<Run> runs_;
};

}  // namespace heddle::cli
