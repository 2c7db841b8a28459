// Operations of a thread that waits in a loop, which are no events.
#include <gtest/gtest.h>

#include "order/clock_rules.h"
#include "order/owned_memory.h"

namespace heddle::order {
namespace {

constexpr uint32_t kFlag = 1;

Operation exchange(uint32_t thread, MemoryOrder order) { return {.thread = thread, .object = kFlag, .kind = Kind::atomic_rmw, .order = order}; }

TEST(Look, PublishesAndAcquiresAndTakesNoEpoch) {
  OwnedMemory memory;
  ClockTracker tracker{Relation::strong, memory.memory()};
  const uint32_t first = tracker.apply(exchange(0, MemoryOrder::acq_rel));
  const uint32_t before = tracker.epoch(1);
  tracker.look(exchange(1, MemoryOrder::acq_rel));
  EXPECT_EQ(tracker.epoch(1), before);
  EXPECT_TRUE(tracker.in_past(0, first, 1));
  // What thread 1 has accessed before that exchange is in the past of who acquires it.
  tracker.apply({.thread = 2, .object = kFlag, .kind = Kind::atomic_load, .order = MemoryOrder::acquire});
  EXPECT_TRUE(tracker.in_past(1, before, 2));
  // Its next event, and what comes after, is not.
  const uint32_t next = tracker.apply(exchange(1, MemoryOrder::relaxed));
  EXPECT_EQ(next, before);
  EXPECT_FALSE(tracker.in_past(1, tracker.epoch(1), 2));
}

TEST(Look, WithoutReleasePublishesNothing) {
  OwnedMemory memory;
  ClockTracker tracker{Relation::strong, memory.memory()};
  tracker.apply(exchange(0, MemoryOrder::acq_rel));
  const uint32_t before = tracker.epoch(1);
  tracker.look(exchange(1, MemoryOrder::acquire));
  tracker.apply({.thread = 2, .object = kFlag, .kind = Kind::atomic_load, .order = MemoryOrder::acquire});
  EXPECT_FALSE(tracker.in_past(1, before, 2));
}

}  // namespace
}  // namespace heddle::order
