// Two clocks per event (docs/design/happens-before.md#two-clocks-per-event), for every kind of edge: a release and the acquire matched with
// it compare as orderable (the acquire could have been attempted before the release was over) and as ordered (it ended after it).
// Only what stands around the two is ordered both ways.
#include <gtest/gtest.h>

#include <functional>

#include "order/owned_memory.h"
#include "order/run_order.h"
#include "trace_builder.h"

namespace heddle::order {
namespace {

constexpr uint32_t kObject = 1, kMutex = 2;

struct Pair {
  const char* name;
  // Adds a release by thread 0 and the acquire by thread 1 that is matched with it; the two are the events 1 and 2.
  std::function<void(TraceBuilder&)> add;
  bool weak = false, must = false;  // also ordered so
  bool mutual = false;              // the acquire's past comes before what follows the release, too
};

void add_pair(TraceBuilder& t, Kind release, Kind acquire, Outcome outcome = Outcome::none, bool partner = false) {
  t.add(0, release, kObject);
  t.add(1, acquire, kObject, outcome).partner = partner ? 1 : kNoEvent;
}

Pair simple(const char* name, Kind release, Kind acquire, Outcome outcome = Outcome::none) {
  return {name, [=](TraceBuilder& t) { add_pair(t, release, acquire, outcome); }};
}
Pair matched(const char* name, Kind release, Kind acquire, Outcome outcome = Outcome::none) {
  return {name, [=](TraceBuilder& t) { add_pair(t, release, acquire, outcome, true); }};
}
Pair atomic(const char* name, Kind release, Kind acquire, MemoryOrder r, MemoryOrder a) {
  return {name, [=](TraceBuilder& t) {
            add_pair(t, release, acquire, Outcome::success, true);
            t.events[1].order = r;
            t.events[2].order = a;
          }, true};
}
Pair forced(const char* name, Kind release, Kind acquire) {
  return {name, [=](TraceBuilder& t) { add_pair(t, release, acquire); }, true, true};
}

// The first half names the second one, which had arrived.
Pair rendezvous(const char* name, Kind first, Kind second) {
  return {name, [=](TraceBuilder& t) {
            t.add(0, first, kObject).partner = 2;
            t.add(1, second, kObject).partner = 1;
            t.events[2].req = t.events[1].req;
          }, false, false, true};
}

std::vector<Pair> pairs() {
  using enum Kind;
  const MemoryOrder release = MemoryOrder::release, acquire = MemoryOrder::acquire;
  std::vector<Pair> all = {
      forced("creation", thread_create, thread_start),
      forced("join", thread_exit, thread_join),
      simple("mutex", mutex_unlock, mutex_lock),
      simple("mutex, trylock", mutex_unlock, mutex_trylock, Outcome::success),
      simple("mutex, timed", mutex_unlock, mutex_timedlock, Outcome::success),
      simple("read-write lock, write after read", rwlock_unlock, rwlock_wrlock),
      simple("read-write lock, try", rwlock_unlock, rwlock_trywrlock, Outcome::success),
      atomic("atomic store and load", atomic_store, atomic_load, release, acquire),
      atomic("atomic rmw and rmw", atomic_rmw, atomic_rmw, release, acquire),
      atomic("atomic cas and cas", atomic_cas, atomic_cas, release, acquire),
      atomic("atomic seq_cst", atomic_store, atomic_load, MemoryOrder::seq_cst, MemoryOrder::seq_cst),
      simple("semaphore", semaphore_post, semaphore_wait),
      simple("semaphore, try", semaphore_post, semaphore_trywait, Outcome::success),
      simple("once, loser", once_end, once_begin, Outcome::failure),
      simple("once, after an exception", once_end, once_begin, Outcome::success),
      simple("wait group", wait_group_add, wait_group_wait),
      matched("condition variable, signal", cond_signal, cond_wake, Outcome::signalled),
      matched("condition variable, broadcast", cond_broadcast, cond_wake, Outcome::signalled),
      matched("channel, value", channel_send, channel_receive),
      matched("channel, slot", channel_receive, channel_send),
      matched("channel, value through selects", select, select),
      matched("channel, value to a select", channel_send, select),
      matched("channel, slot to a select", channel_receive, select),
      matched("channel, value of a select", select, channel_receive),
      matched("channel, close", channel_close, channel_receive, Outcome::failure),
      matched("channel, close seen by a select", channel_close, select, Outcome::failure),
      rendezvous("rendezvous", channel_send, channel_receive),
      rendezvous("rendezvous, receiver first", channel_receive, channel_send),
      rendezvous("rendezvous with a select", channel_send, select),
      rendezvous("rendezvous of selects", select, select),
  };
  all.push_back({"mutex given back by a wait", [](TraceBuilder& t) {
                   t.add(0, cond_wait, kObject).choice = kMutex;
                   t.add(1, mutex_lock, kMutex);
                 }});
  return all;
}

// `first`: the number of an event of thread 0, before the pair; one more of each thread comes after the pair.
void check(const TraceBuilder& t, uint32_t first, const Pair& p) {
  const uint32_t release = first + 1, acquire = first + 2, after_release = first + 3, after_acquire = first + 4;
  ASSERT_EQ(t.events.size(), first + 5);
  OwnedMemory memory;
  for (Relation relation : {Relation::strong, Relation::weak, Relation::must}) {
    SCOPED_TRACE(static_cast<int>(relation));
    const bool ordered = relation == Relation::strong || (relation == Relation::weak ? p.weak : p.must);
    const RunOrder order(t.summary(), relation, memory.memory());
    EXPECT_TRUE(order.orderable(release, acquire));
    EXPECT_FALSE(order.precedes(release, acquire));
    EXPECT_EQ(order.before(release, acquire), ordered);
    EXPECT_FALSE(order.before(acquire, release));
    EXPECT_TRUE(order.orderable(first, acquire));  // the attempt itself needs no other thread
    EXPECT_EQ(order.before(first, acquire), ordered);
    EXPECT_EQ(order.precedes(release, after_acquire), ordered);
    EXPECT_EQ(order.precedes(first, after_acquire), ordered);
    EXPECT_EQ(order.precedes(acquire, after_release), ordered && p.mutual);
    EXPECT_EQ(order.before(acquire, after_release), ordered && p.mutual);
  }
}

TEST(ReleaseAndAcquire, AreOrderableByTheAttemptAndOrderedByTheEnd) {
  for (const Pair& p : pairs()) {
    SCOPED_TRACE(p.name);
    TraceBuilder t;
    t.add(0, Kind::yield, 0);
    p.add(t);
    t.add(0, Kind::yield, 0);
    t.add(1, Kind::yield, 0);
    check(t, 0, p);
  }
}

TEST(ReleaseAndAcquire, ThoseOfABarrierToo) {
  TraceBuilder t;
  t.add(1, Kind::barrier_arrive, kObject);
  t.add(0, Kind::yield, 0);
  t.add(0, Kind::barrier_arrive, kObject);
  t.add(1, Kind::barrier_leave, kObject);
  t.add(0, Kind::yield, 0);
  t.add(1, Kind::yield, 0);
  check(t, 1, {"barrier", nullptr});
}

}  // namespace
}  // namespace heddle::order
