// Sections of locks. Two sections of one lock come one after the other, so an order of what begins or ends
// them is an order of the sections, and there is one condition for it: the first is taken before the other.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "harness/cli/explicit_schedule.h"

namespace heddle::cli {

class LockSections {
 public:
  void add(const StoredTrace& run);
  // If both operations begin or end sections of one lock, which exclude each other: that one is taken before
  // the other. Else the same order.
  Order order_of_sections(const Order& order) const;

 private:
  using Key = std::tuple<ThreadId, SiteId, uint32_t, Kind>;
  struct Section {
    Element begin = {};
    uint32_t lock = 0;       // object of the run; 0: the lock was not taken, as after a time-out
    bool exclusive = false;  // not only for reading
  };

  static Key key(const Element& e) { return {e.thread, e.site, e.occurrence, e.kind}; }
  bool is_in_vain(const Element& e) const;
  const Section* section_of(const std::map<Key, Section>& run, const Element& e) const;

  std::vector<std::map<Key, Section>> runs_;
};

}  // namespace heddle::cli
