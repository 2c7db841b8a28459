// Threads that begin after others have ended share components of the clocks with them. (That the order stays the same is what reference_test.cc
// shows.)
#include "order/lanes.h"

#include <gtest/gtest.h>

#include "order/owned_memory.h"
#include "order/run_order.h"
#include "trace_builder.h"

namespace heddle::order {
namespace {

struct Creator {
  OwnedMemory memory;
  VectorClock clock;
  Lanes lanes{memory.memory()};
  void knows(uint32_t lane, uint32_t epoch) { clock.raise(lane, epoch, memory.memory()); }
};

TEST(Lanes, ASuccessorGoesOnInTheLaneOfAnEndedThread) {
  Creator c;
  EXPECT_EQ(c.lanes.of(0), 0u);
  EXPECT_FALSE(c.lanes.begin(1, c.clock));
  EXPECT_EQ(c.lanes.of(1), 1u);
  c.lanes.end(1, 7);
  c.knows(1, 7);
  EXPECT_TRUE(c.lanes.begin(2, c.clock));
  EXPECT_EQ(c.lanes.of(2), 1u);
  EXPECT_EQ(c.lanes.thread_at(1, 7), 1u);
  EXPECT_EQ(c.lanes.thread_at(1, 8), 2u);
  EXPECT_EQ(c.lanes.thread_at(0, 5), 0u);
  EXPECT_FALSE(c.lanes.begin(3, c.clock));  // nobody else has ended
  EXPECT_EQ(c.lanes.of(3), 2u);
}

TEST(Lanes, NotOneWhoseEndTheCreatorDoesNotKnow) {
  Creator c;
  c.lanes.begin(1, c.clock);
  const uint32_t lane = c.lanes.of(1);
  c.lanes.end(1, 7);
  c.knows(lane, 6);
  EXPECT_FALSE(c.lanes.begin(2, c.clock));
  c.knows(lane, 7);
  EXPECT_TRUE(c.lanes.begin(3, c.clock));
  EXPECT_EQ(c.lanes.of(3), lane);
}

// Many that nobody joins do not keep the lane of one that was joined from being found.
TEST(Lanes, DetachedThreadsStandInNobodysWay) {
  Creator c;
  for (uint32_t thread = 1; thread <= 100; ++thread) {
    c.lanes.begin(thread, c.clock);
    c.lanes.end(thread, 3);
  }
  c.knows(c.lanes.of(100), 3);
  int shared = 0;
  for (uint32_t thread = 101; thread <= 200; ++thread) shared += c.lanes.begin(thread, c.clock);
  EXPECT_EQ(shared, 1);
}

TEST(Lanes, AThreadThatEndsTwiceLeavesOneLane) {
  Creator c;
  c.lanes.begin(1, c.clock);
  c.lanes.end(1, 1);
  c.lanes.end(1, 2);
  c.knows(c.lanes.of(1), 2);
  EXPECT_TRUE(c.lanes.begin(2, c.clock));
  EXPECT_FALSE(c.lanes.begin(3, c.clock));
  c.lanes.end(1, 3);  // no longer its lane
  EXPECT_FALSE(c.lanes.begin(4, c.clock));
}

// Main starts a thread, hands a lock over and joins it, again and again.
size_t memory_for(uint32_t threads) {
  TraceBuilder t;
  for (uint32_t u = 1; u <= threads; ++u) {
    t.add(0, Kind::thread_create, 10 + u);
    const uint32_t created = t.last();
    t.add(u, Kind::thread_start, 10 + u);
    t.threads[u].create_event = created;
    t.add(u, Kind::mutex_lock, 1);
    t.add(u, Kind::mutex_unlock, 1);
    t.add(u, Kind::thread_exit, 10 + u);
    t.add(0, Kind::thread_join, 10 + u);
    t.add(0, Kind::mutex_lock, 1);
    t.add(0, Kind::mutex_unlock, 1);
  }
  OwnedMemory owned;
  struct Counted {
    Memory memory;
    size_t bytes;
  } counted = {owned.memory(), 0};
  const Memory counting = {[](void* context, size_t bytes) {
                             auto& c = *static_cast<Counted*>(context);
                             c.bytes += bytes;
                             return c.memory.get(bytes);
                           },
                           &counted};
  RunOrder(t.summary(), Relation::strong, counting);
  return counted.bytes;
}

TEST(Lanes, ClocksDoNotGrowWithThreadsThatHaveEnded) {
  const size_t few = memory_for(200), many = memory_for(1600);
  EXPECT_LT(many, 10 * few);
}

}  // namespace
}  // namespace heddle::order
