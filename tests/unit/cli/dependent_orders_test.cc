// The orders that make a run what it is.
#include "harness/cli/dependent_orders.h"

#include <gtest/gtest.h>

#include "tests/unit/cli/stored_event.h"

namespace heddle::cli {
namespace {

class DependentOrders : public testing::Test {
 protected:
  DependentOrders() {
    for (uint32_t i = 0; i < 3; ++i) {
      run_.threads.emplace_back();
      run_.threads[i].id = i == 0 ? kMainThread : child_thread(kMainThread, i - 1);
      run_.threads[i].create_event = kNoEvent;
    }
  }
  void add(uint32_t thread, Kind kind, SiteId site, uint32_t object, bool finished = true) {
    run_.events.push_back(stored_event(
        thread, site, kind, finished ? static_cast<uint32_t>(run_.events.size()) + 1 : 0));
    run_.events.back().object = object;
  }
  std::vector<std::pair<SiteId, SiteId>> orders() const {
    std::vector<std::pair<SiteId, SiteId>> out;
    for (const Order& order : dependent_orders(run_))
      out.emplace_back(order.first.site, order.second.site);
    return out;
  }
  using Sites = std::vector<std::pair<SiteId, SiteId>>;
  StoredTrace run_;
};

TEST_F(DependentOrders, WhatFollowsFromOthersIsLeftOut) {
  add(0, Kind::atomic_store, 10, 1);
  add(1, Kind::atomic_rmw, 20, 1);
  add(2, Kind::atomic_rmw, 30, 1);
  add(0, Kind::atomic_load, 11, 1);
  EXPECT_EQ(orders(), (Sites{{10, 20}, {20, 30}, {30, 11}}));
}

TEST_F(DependentOrders, OtherObjectsAndTwoReadsDoNotMatter) {
  add(0, Kind::atomic_store, 10, 1);
  add(1, Kind::atomic_store, 20, 2);
  add(2, Kind::atomic_load, 30, 2);
  add(0, Kind::atomic_load, 11, 2);
  EXPECT_EQ(orders(), (Sites{{20, 30}, {20, 11}}));
}

// It would have come after all else.
TEST_F(DependentOrders, WhatWasStillToHappenComesLast) {
  add(0, Kind::mutex_lock, 10, 1, false);
  add(1, Kind::mutex_lock, 20, 1);
  EXPECT_EQ(orders(), (Sites{{20, 10}}));
}

TEST_F(DependentOrders, NothingComesBeforeAThreadIsCreated) {
  add(0, Kind::atomic_store, 10, 1);
  run_.threads[1].create_event = static_cast<uint32_t>(run_.events.size());
  add(0, Kind::thread_create, 11, 0);
  add(1, Kind::atomic_load, 20, 1);
  EXPECT_EQ(orders(), Sites{});
}

}  // namespace
}  // namespace heddle::cli
