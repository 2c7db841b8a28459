#include "order/run_order.h"

#include <gtest/gtest.h>

#include "order/owned_memory.h"
#include "trace_builder.h"

namespace heddle::order {
namespace {

struct Orders {
  OwnedMemory memory;
  RunOrder strong, weak, must;
  explicit Orders(const TraceBuilder& t)
      : strong(t.summary(), Relation::strong, memory.memory()),
        weak(t.summary(), Relation::weak, memory.memory()),
        must(t.summary(), Relation::must, memory.memory()) {}
};

// Acceptance test 9.
TEST(RunOrder, MatchedReleaseAndAcquireAreOrderableYetOrdered) {
  TraceBuilder t;
  t.add(0, Kind::mutex_lock, 1);
  t.add(0, Kind::mutex_unlock, 1);  // 1
  t.add(1, Kind::mutex_lock, 1);    // 2
  t.add(1, Kind::mutex_unlock, 1);  // 3
  Orders o(t);
  EXPECT_TRUE(o.strong.orderable(1, 2));
  EXPECT_TRUE(o.strong.before(1, 2));
  EXPECT_FALSE(o.strong.orderable(1, 3));  // only what stands around them is ordered
  EXPECT_TRUE(o.weak.orderable(1, 3));
  EXPECT_FALSE(o.weak.before(1, 2));
}

// Acceptance test 7, the part about relations: AB-BA one after the other without a join.
TEST(RunOrder, SequentialCriticalSectionsAreOrderedOnlyStrongly) {
  for (bool join : {false, true}) {
    TraceBuilder t;
    t.add(0, Kind::thread_create, 10);
    t.add(1, Kind::thread_start, 10);
    t.add(1, Kind::mutex_lock, 1);
    t.add(1, Kind::mutex_lock, 2);
    const uint32_t inner1 = t.last();
    t.add(1, Kind::mutex_unlock, 2);
    t.add(1, Kind::mutex_unlock, 1);
    t.add(1, Kind::thread_exit, 10);
    if (join) t.add(0, Kind::thread_join, 10);
    t.add(0, Kind::mutex_lock, 2);
    t.add(0, Kind::mutex_lock, 1);
    const uint32_t inner2 = t.last();
    Orders o(t);
    EXPECT_FALSE(o.strong.orderable(inner1, inner2));
    EXPECT_EQ(o.weak.orderable(inner1, inner2), !join);
    EXPECT_EQ(o.must.orderable(inner1, inner2), !join);
  }
}

TEST(RunOrder, CreationByRecordAlone) {
  TraceBuilder t;
  t.add(0, Kind::yield, 0);
  t.add(0, Kind::thread_create, 0);
  t.add(1, Kind::yield, 0);
  t.threads[1].create_event = 1;
  Orders o(t);
  EXPECT_TRUE(o.must.precedes(0, 2));
  EXPECT_TRUE(o.must.precedes(1, 2));
}

// Go: a lock comes after all unlocks before it, whoever has done them. Only those who unlocked were there, not the one that had locked.
TEST(RunOrder, AnUnlockInPlaceOfAnotherThreadJoinsTheOthers) {
  for (const bool writes : {false, true}) {
    const Kind lock = writes ? Kind::rwlock_wrlock : Kind::mutex_lock, unlock = writes ? Kind::rwlock_unlock : Kind::mutex_unlock;
    TraceBuilder t;
    t.add(0, Kind::plain_write, 9);
    t.add(0, lock, 1);
    t.add(0, unlock, 1);             // 2
    t.add(1, Kind::plain_write, 9);  // 3
    t.add(1, lock, 1);
    t.add(2, Kind::plain_write, 9);  // 5
    t.add(2, unlock, 1).flags = kEventForeign;
    t.add(3, lock, 1);
    t.add(3, Kind::plain_read, 9);  // 8
    Orders o(t);
    EXPECT_TRUE(o.strong.before(0, 8));
    EXPECT_TRUE(o.strong.before(5, 8));
    EXPECT_FALSE(o.strong.before(3, 8));
  }
}

TEST(RunOrder, BlockedOperationsSynchroniseNothing) {
  TraceBuilder t;
  t.add(0, Kind::mutex_lock, 1);
  t.add(0, Kind::mutex_unlock, 1);
  t.blocked(1, Kind::mutex_lock, 1);  // 2
  Orders o(t);
  EXPECT_FALSE(o.strong.before(1, 2));
  EXPECT_FALSE(o.strong.before(0, 2));
  EXPECT_FALSE(o.strong.before(2, 1));
  EXPECT_TRUE(o.strong.orderable(0, 2));
}

TEST(RunOrder, FailedTrylockHasNoEdge) {
  for (Outcome outcome : {Outcome::failure, Outcome::success}) {
    TraceBuilder t;
    t.add(0, Kind::mutex_lock, 1);
    t.add(0, Kind::mutex_unlock, 1);
    t.add(1, Kind::mutex_trylock, 1, outcome);
    t.add(1, Kind::yield, 0);
    Orders o(t);
    EXPECT_EQ(o.strong.precedes(1, 3), outcome == Outcome::success);
  }
}

TEST(RunOrder, ReadersOrderWritersButNotEachOther) {
  TraceBuilder t;
  t.add(0, Kind::rwlock_rdlock, 1);
  t.add(0, Kind::rwlock_unlock, 1);  // 1
  t.add(1, Kind::rwlock_rdlock, 1);
  t.add(1, Kind::rwlock_unlock, 1);  // 3
  t.add(2, Kind::rwlock_wrlock, 1);  // 4
  t.add(2, Kind::rwlock_unlock, 1);  // 5
  t.add(3, Kind::rwlock_rdlock, 1);  // 6
  Orders o(t);
  EXPECT_FALSE(o.strong.before(1, 2));
  EXPECT_TRUE(o.strong.before(1, 4));
  EXPECT_TRUE(o.strong.before(3, 4));
  EXPECT_TRUE(o.strong.before(5, 6));
  EXPECT_TRUE(o.strong.before(1, 6));
}

TEST(RunOrder, ReleaseSequences) {
  struct Case {
    Kind middle;
    MemoryOrder order;
    bool ordered;
  };
  for (Case c : {Case{Kind::atomic_rmw, MemoryOrder::relaxed, true},
                 Case{Kind::atomic_store, MemoryOrder::relaxed, false}}) {
    TraceBuilder t;
    t.add(0, Kind::atomic_store, 1).order = MemoryOrder::release;
    t.add(1, c.middle, 1).order = c.order;
    t.events.back().partner = c.middle == Kind::atomic_rmw ? 0 : kNoEvent;
    t.add(2, Kind::atomic_load, 1).order = MemoryOrder::acquire;
    t.events.back().partner = 1;
    Orders o(t);
    EXPECT_EQ(o.strong.before(0, 2), c.ordered);
    EXPECT_TRUE(o.weak.before(1, 2));  // reads-from, with any orders
  }
}

TEST(RunOrder, FencesTurnRelaxedIntoSynchronisation) {
  TraceBuilder t;
  t.add(0, Kind::plain_write, 2);
  t.add(0, Kind::atomic_fence, 0).order = MemoryOrder::release;  // 1
  t.add(0, Kind::atomic_store, 1).order = MemoryOrder::relaxed;  // 2
  t.add(1, Kind::atomic_load, 1).order = MemoryOrder::relaxed;   // 3
  t.events.back().partner = 2;
  t.add(1, Kind::yield, 0);                                      // 4
  t.add(1, Kind::atomic_fence, 0).order = MemoryOrder::acquire;  // 5
  Orders o(t);
  EXPECT_FALSE(o.strong.before(0, 3));
  EXPECT_FALSE(o.strong.before(0, 4));
  EXPECT_TRUE(o.strong.before(0, 5));
  EXPECT_FALSE(o.strong.before(2, 5));  // the store itself stands after the fence
}

TEST(RunOrder, AReadOfAnOlderStoreTakesThatStoresClock) {
  TraceBuilder t;
  t.add(0, Kind::atomic_store, 1);
  t.add(1, Kind::atomic_store, 1);
  t.add(2, Kind::atomic_load, 1).partner = 0;
  t.add(3, Kind::atomic_load, 1);  // the initial value
  Orders o(t);
  EXPECT_TRUE(o.strong.before(0, 2));
  EXPECT_FALSE(o.strong.before(1, 2));
  EXPECT_TRUE(o.weak.before(0, 2));
  EXPECT_FALSE(o.weak.before(1, 2));
  EXPECT_FALSE(o.strong.before(0, 3));
}

TEST(RunOrder, WaitGivesTheMutexBackAndSpuriousWakesLearnNothing) {
  for (Outcome outcome : {Outcome::signalled, Outcome::spurious}) {
    TraceBuilder t;
    t.add(0, Kind::mutex_lock, 1);
    t.add(0, Kind::cond_wait, 2).choice = 1;  // 1
    t.add(1, Kind::mutex_lock, 1);            // 2
    t.add(1, Kind::mutex_unlock, 1);
    t.add(1, Kind::cond_signal, 2);           // 4
    t.add(0, Kind::cond_wake, 2, outcome).partner = outcome == Outcome::signalled ? 4 : kNoEvent;
    Orders o(t);
    EXPECT_TRUE(o.strong.before(1, 2));
    EXPECT_EQ(o.strong.before(4, 5), outcome == Outcome::signalled);
  }
}

TEST(RunOrder, ChannelsMatchMessagesNotHistory) {
  TraceBuilder t;
  t.add(0, Kind::channel_send, 1);
  t.add(1, Kind::channel_send, 1);
  t.add(2, Kind::channel_receive, 1).partner = 0;
  t.add(3, Kind::channel_receive, 1).partner = 1;
  t.add(0, Kind::channel_send, 1).partner = 3;  // needed the slot
  Orders o(t);
  EXPECT_TRUE(o.strong.before(0, 2));
  EXPECT_FALSE(o.strong.before(1, 2));
  EXPECT_TRUE(o.strong.before(1, 3));
  EXPECT_TRUE(o.strong.before(3, 4));
}

TEST(RunOrder, RendezvousOrdersBothSides) {
  TraceBuilder t;
  t.add(0, Kind::yield, 0);
  t.add(1, Kind::yield, 0);
  t.add(0, Kind::channel_send, 1).partner = 3;
  t.add(1, Kind::channel_receive, 1).partner = 2;
  t.events[3].req = t.events[2].req;
  t.add(0, Kind::yield, 0);
  t.add(1, Kind::yield, 0);
  Orders o(t);
  EXPECT_TRUE(o.strong.precedes(0, 5));
  EXPECT_TRUE(o.strong.precedes(1, 4));
  EXPECT_TRUE(o.strong.orderable(2, 3));
}

TEST(RunOrder, OnceLosersComeAfterTheEnd) {
  TraceBuilder t;
  t.add(0, Kind::once_begin, 1, Outcome::success);
  t.add(0, Kind::yield, 0);
  t.add(0, Kind::once_end, 1);
  t.add(1, Kind::once_begin, 1, Outcome::failure);
  Orders o(t);
  EXPECT_TRUE(o.strong.before(1, 3));
  EXPECT_TRUE(o.strong.orderable(0, 3));  // the loser was not ordered before it asked: flow fuzzing lives on that
  EXPECT_TRUE(o.strong.orderable(2, 3));
}

TEST(RunOrder, AnAttemptAtOnceComesAfterTheOneThatThrew) {
  TraceBuilder t;
  t.add(0, Kind::once_begin, 1, Outcome::success);
  t.add(0, Kind::yield, 0);
  t.add(0, Kind::once_end, 1, Outcome::failure);
  t.add(1, Kind::once_begin, 1, Outcome::success);
  t.add(1, Kind::yield, 0);
  EXPECT_TRUE(Orders(t).strong.before(1, 4));
}

TEST(RunOrder, BarrierPhases) {
  TraceBuilder t;
  t.add(0, Kind::barrier_arrive, 1);
  t.add(1, Kind::barrier_arrive, 1);
  t.add(0, Kind::barrier_leave, 1);   // 2
  t.add(0, Kind::yield, 0);           // 3
  t.add(0, Kind::barrier_arrive, 1);  // 4, the next phase
  t.add(1, Kind::barrier_leave, 1);   // 5, still of the first
  Orders o(t);
  EXPECT_TRUE(o.strong.before(1, 2));
  EXPECT_TRUE(o.strong.before(0, 5));
  EXPECT_FALSE(o.strong.before(3, 5));
  EXPECT_FALSE(o.strong.before(4, 5));
}

}  // namespace
}  // namespace heddle::order
