// Flow fuzzing (docs/design/flow.md): the pairs, and the mode.
#include "mutator/modes/flow.h"

#include <gtest/gtest.h>

#include <set>

#include "modes_gfuzz_run.h"

namespace heddle::mutator {
namespace {

using P = ChannelParent;

struct Found {
  SiteId first, second;
  FlowRank rank;
  auto operator<=>(const Found&) const = default;
};

std::vector<Found> pairs(const P& p) {
  const ChannelRun run(p);
  std::vector<Found> out;
  FlowPairs found;
  for (const FlowPair& f : found.find(run.relations())) {
    out.push_back({run.events[f.first].site, run.events[f.second].site, f.rank});
  }
  return out;
}

using Pairs = std::vector<Found>;
constexpr auto kOutcome = FlowRank::outcome, kValue = FlowRank::value, kOrder = FlowRank::order;

// --- class 1 -------------------------------------------------------------------------------------

TEST(FlowPairs, TheWinnerOfAOnceAndTheLoser) {
  P p;
  p.add(1, 1, Kind::once_begin, 1, Outcome::success);
  p.add(1, 2, Kind::once_end, 1);
  p.add(2, 3, Kind::once_begin, 1, Outcome::failure);  // joins the end: by the clock of completion it comes after
  EXPECT_EQ(pairs(p), (Pairs{{1, 3, kOutcome}}));
}

TEST(FlowPairs, ALoserThatHadToComeLaterIsNone) {
  P p;
  p.add(1, 1, Kind::once_begin, 1, Outcome::success);
  p.add(1, 2, Kind::once_end, 1);
  p.add(1, 4, Kind::semaphore_post, 2);
  p.add(2, 5, Kind::semaphore_wait, 2);
  p.add(2, 3, Kind::once_begin, 1, Outcome::failure);
  EXPECT_EQ(pairs(p), Pairs{});
}

TEST(FlowPairs, AFailedTryAndTheHolder) {
  for (const auto& [lock, attempt] : {std::pair{Kind::mutex_lock, Kind::mutex_trylock}, {Kind::rwlock_wrlock, Kind::rwlock_tryrdlock},
                                      {Kind::rwlock_rdlock, Kind::rwlock_trywrlock}, {Kind::semaphore_wait, Kind::semaphore_trywait}}) {
    P p;
    p.add(1, 1, lock, 1);
    p.add(2, 2, attempt, 1, Outcome::failure);
    EXPECT_EQ(pairs(p), (Pairs{{1, 2, kOutcome}}));
  }
}

// Only the thread that holds it at the time.
TEST(FlowPairs, ATimedLockThatRanOut) {
  P p;
  p.add(3, 1, Kind::mutex_lock, 1);
  p.add(3, 2, Kind::mutex_unlock, 1);
  p.add(1, 3, Kind::mutex_lock, 1);
  p.add(2, 4, Kind::mutex_timedlock, 1, Outcome::timeout);
  EXPECT_EQ(pairs(p), (Pairs{{3, 4, kOutcome}, {1, 3, kOrder}}));
}

TEST(FlowPairs, BlockedReceivesAndSends) {
  P p;
  const uint32_t c = p.channel(50, 1);
  p.add(1, 1, Kind::channel_send, c);
  p.add(2, 2, Kind::channel_receive, c, Outcome::success);
  p.passes(0, 1, false);
  p.blocked(3, 3, Kind::channel_receive, c);
  EXPECT_EQ(pairs(p), (Pairs{{2, 3, kOutcome}}));
  p.events.pop_back();
  p.blocked(3, 4, Kind::channel_send, c);
  EXPECT_EQ(pairs(p), (Pairs{{1, 4, kOutcome}}));
}

TEST(FlowPairs, BlockedSelectsCountForAllTheirCases) {
  P p;
  const uint32_t c = p.channel(50, 1), d = p.channel(51, 1);
  p.add(1, 1, Kind::channel_send, d);
  p.select(2, 2, 1, {P::receive(c), P::receive(d)});
  p.passes(0, 1, false);
  p.blocked_select(3, 3, {P::receive(c), P::receive(d)});
  EXPECT_EQ(pairs(p), (Pairs{{2, 3, kOutcome}}));
}

// --- class 2 -------------------------------------------------------------------------------------

P two_sends(uint32_t capacity, uint32_t first_value, uint32_t second_value) {
  P p;
  const uint32_t c = p.channel(50, capacity);
  for (uint32_t sender : {1u, 2u}) {
    p.add(sender, sender, Kind::channel_send, c).value = sender == 1 ? first_value : second_value;
    if (capacity != 0) continue;
    p.add(3, 10 + sender, Kind::channel_receive, c, Outcome::success);
    p.passes(p.last() - 1, p.last(), true);
  }
  if (capacity != 0) {
    for (uint32_t k : {0u, 1u}) {
      p.add(3, 11 + k, Kind::channel_receive, c, Outcome::success);
      p.passes(k, p.last(), false);
    }
  }
  return p;
}

TEST(FlowPairs, TwoSends) {
  for (uint32_t capacity : {0u, 2u}) {
    EXPECT_EQ(pairs(two_sends(capacity, 7, 8)), (Pairs{{1, 2, kValue}}));
    EXPECT_EQ(pairs(two_sends(capacity, 7, 7)), (Pairs{{1, 2, kOrder}}));
  }
}

TEST(FlowPairs, TwoReceives) {
  P p;
  const uint32_t c = p.channel(50, 2);
  p.add(3, 1, Kind::channel_send, c);
  p.add(3, 2, Kind::channel_send, c);
  p.add(1, 11, Kind::channel_receive, c, Outcome::success).value = 5;
  p.passes(0, 2, false);
  p.add(2, 12, Kind::channel_receive, c, Outcome::success).value = 6;
  p.passes(1, 3, false);
  EXPECT_EQ(pairs(p), (Pairs{{11, 12, kValue}}));
}

TEST(FlowPairs, ReceivesThatSawTheCloseAreNone) {
  P p;
  const uint32_t c = p.channel(50, 0, 0, true);
  p.add(3, 1, Kind::channel_close, c);
  p.add(1, 11, Kind::channel_receive, c, Outcome::failure);
  p.add(2, 12, Kind::channel_receive, c, Outcome::failure);
  EXPECT_EQ(pairs(p), Pairs{});
}

// Lock-lock by the weak relation: AB, then BA in another thread. The strong relation has the second lock of 1 after the
// whole of the first thread's section, and the two sections may go in either order.
TEST(FlowPairs, LocksOfSectionsThatAnotherLockOrders) {
  P p;
  p.add(1, 1, Kind::mutex_lock, 1);
  p.add(1, 2, Kind::mutex_lock, 2);
  p.add(1, 3, Kind::mutex_unlock, 2);
  p.add(1, 4, Kind::mutex_unlock, 1);
  p.add(2, 5, Kind::mutex_lock, 2);
  p.add(2, 6, Kind::mutex_lock, 1);
  const auto found = pairs(p);
  EXPECT_EQ(found, (Pairs{{2, 5, kOrder}, {1, 6, kOrder}}));
  const ChannelRun run(p);
  EXPECT_FALSE(run.relations().order(order::Relation::strong).orderable(1, 5) && run.relations().order(order::Relation::strong).orderable(0, 5));
}

TEST(FlowPairs, ReadersDoNotCompete) {
  P p;
  p.add(1, 1, Kind::rwlock_rdlock, 1);
  p.add(2, 2, Kind::rwlock_rdlock, 1);
  EXPECT_EQ(pairs(p), Pairs{});
  p.add(3, 3, Kind::rwlock_wrlock, 1);
  EXPECT_EQ(pairs(p), (Pairs{{2, 3, kOrder}, {1, 3, kOrder}}));
}

P atomics(std::initializer_list<std::tuple<uint32_t, Kind, uint32_t>> ops) {
  P p;
  SiteId site = 1;
  for (const auto& [thread, kind, value] : ops) {
    Event& e = p.add(thread, site++, kind, 1);
    e.value = value;
    e.order = MemoryOrder::seq_cst;
  }
  return p;
}

TEST(FlowPairs, StoresAndLoads) {
  constexpr Kind kStore = Kind::atomic_store, kLoad = Kind::atomic_load;
  EXPECT_EQ(pairs(atomics({{1, kStore, 1}, {2, kStore, 2}})), (Pairs{{1, 2, kValue}}));
  EXPECT_EQ(pairs(atomics({{1, kStore, 1}, {2, kStore, 1}})), (Pairs{{1, 2, kOrder}}));
  EXPECT_EQ(pairs(atomics({{1, kLoad, 0}, {2, kStore, 1}})), (Pairs{{1, 2, kValue}}));
  EXPECT_EQ(pairs(atomics({{1, kLoad, 0}, {2, kLoad, 0}})), Pairs{});
  // The load would see what was there before.
  EXPECT_EQ(pairs(atomics({{1, kStore, 1}, {2, kLoad, 1}})), (Pairs{{1, 2, kValue}}));
  EXPECT_EQ(pairs(atomics({{1, kStore, 1}, {1, kStore, 1}, {2, kLoad, 1}})), (Pairs{{2, 3, kOrder}}));
  EXPECT_EQ(pairs(atomics({{1, kStore, 0}, {1, kStore, 1}, {2, kLoad, 1}})), (Pairs{{2, 3, kValue}}));
}

TEST(FlowPairs, NotificationsAndWaits) {
  P lost;
  lost.add(1, 1, Kind::cond_signal, 1, Outcome::failure);
  lost.add(2, 2, Kind::cond_wait, 1);
  EXPECT_EQ(pairs(lost), (Pairs{{1, 2, kValue}}));
  P woken;
  woken.add(2, 2, Kind::cond_wait, 1);
  woken.add(1, 1, Kind::cond_signal, 1, Outcome::success);
  EXPECT_EQ(pairs(woken), (Pairs{{2, 1, kValue}}));
}

TEST(FlowPairs, NewSitesBeforeRepetitions) {
  P p;
  for (int i = 0; i < 3; ++i) {
    for (uint32_t thread : {1u, 2u}) {
      p.add(thread, 10 + thread, Kind::atomic_store, 1).value = thread;
      p.events.back().order = MemoryOrder::seq_cst;
    }
  }
  p.add(3, 30, Kind::atomic_store, 2).value = 1;
  p.add(4, 40, Kind::atomic_store, 2).value = 2;
  const auto found = pairs(p);
  ASSERT_GE(found.size(), 6u);
  EXPECT_EQ(found[0], (Found{11, 12, kValue}));
  EXPECT_EQ(found[1], (Found{12, 11, kValue}));
  EXPECT_EQ(found[2], (Found{30, 40, kValue}));
  EXPECT_EQ(found[3], (Found{11, 12, kValue}));
}

// --- the mode ------------------------------------------------------------------------------------

// A once after noise, an example of AdvocateGo's documentation: the function of do 1 runs, then 1000 values as noise, then do 2 comes too late.
P noise_example() {
  P p;
  p.add(0, 1, Kind::thread_create, 5);
  p.add(0, 2, Kind::thread_create, 6);
  p.threads.push_back({P::id(1), 0, 0, 0, 0, {}});
  p.threads.push_back({P::id(2), 0, 1, 0, 0, {}});
  p.add(1, 10, Kind::once_begin, 8, Outcome::success);
  p.add(1, 11, Kind::once_end, 8);
  const uint32_t c = p.channel(50, 0);
  for (int i = 0; i < 1000; ++i) {
    p.add(2, 20, Kind::channel_send, c);
    p.add(0, 21, Kind::channel_receive, c, Outcome::success);
    p.passes(p.last() - 1, p.last(), true);
  }
  p.add(0, 12, Kind::once_begin, 8, Outcome::failure);
  return p;
}

TEST(FlowMode, TheNoiseExampleInTheSecondRun) {
  Flow mode;
  Rng rng(1);
  Schedule start;
  start.seed = 42;
  mode.learn(ChannelRun(noise_example()), start, false);
  const Schedule child = mode.next(start, rng);
  ASSERT_EQ(child.delays.size(), 1u);
  EXPECT_TRUE(same_op(child.delays[0].what, op(1, 10, Kind::once_begin)));
  EXPECT_TRUE(same_op(child.delays[0].until, op(0, 12, Kind::once_begin)));
  EXPECT_EQ(child.seed, 42u);
}

TEST(FlowMode, TheTwoSendsInTheSecondRun) {
  Flow mode;
  Rng rng(1);
  mode.learn(ChannelRun(two_sends(2, 1, 0)), {}, false);
  const Schedule child = mode.next({}, rng);
  ASSERT_EQ(child.delays.size(), 1u);
  EXPECT_TRUE(same_op(child.delays[0].what, op(1, 1, Kind::channel_send)));
  EXPECT_TRUE(same_op(child.delays[0].until, op(2, 2, Kind::channel_send)));
}

// n independent pairs of stores, and in the end a lost try-lock.
P many(uint32_t n) {
  P p;
  p.objects.resize(n + 2);
  for (uint32_t i = 0; i < n; ++i) {
    p.add(1, 100 + i, Kind::atomic_store, i + 1).value = 1;
    p.add(2, 200 + i, Kind::atomic_store, i + 1).value = 2;
  }
  p.add(1, 1, Kind::mutex_lock, n + 1);
  p.add(2, 2, Kind::mutex_trylock, n + 1, Outcome::failure);
  return p;
}

TEST(FlowMode, TenPairsOfARunClassOneFirstEachOnceEver) {
  Flow mode;
  Rng rng(1);
  Schedule start;
  start.seed = 7;
  const ChannelRun run(many(12));
  mode.learn(run, start, false);
  EXPECT_EQ(mode.queued(), 10u);
  const Schedule first = mode.next(start, rng);
  EXPECT_EQ(first.delays[0].what.kind, Kind::mutex_lock);
  std::set<SiteId> delayed;
  while (mode.queued() > 0) {
    const Schedule child = mode.next(start, rng);
    ASSERT_EQ(child.delays.size(), 1u);
    EXPECT_TRUE(delayed.insert(child.delays[0].what.site).second);
  }
  EXPECT_EQ(delayed.size(), 9u);
  mode.learn(run, start, false);  // the same run again: the three that are left
  EXPECT_EQ(mode.queued(), 3u);
  while (mode.queued() > 0) EXPECT_TRUE(delayed.insert(mode.next(start, rng).delays[0].what.site).second);
  mode.learn(run, start, false);
  EXPECT_EQ(mode.queued(), 0u);
  const Schedule idle = mode.next(start, rng);
  EXPECT_TRUE(idle.delays.empty());
  EXPECT_NE(idle.seed, 7u);
}

TEST(FlowMode, AChildsChildKeepsTheParentsDelaysAndNoPairIsTurnedBack) {
  Flow mode;
  Rng rng(1);
  mode.learn(ChannelRun(atomics({{1, Kind::atomic_store, 1}, {2, Kind::atomic_store, 2}})), {}, false);
  const Schedule child = mode.next({}, rng);
  ASSERT_EQ(child.delays.size(), 1u);
  // Its run: the reverse order, and a lock that no thread had reached before.
  P p;
  p.add(2, 2, Kind::atomic_store, 1).value = 2;
  p.add(1, 1, Kind::atomic_store, 1).value = 1;
  p.add(2, 3, Kind::mutex_lock, 2);
  p.add(2, 4, Kind::mutex_unlock, 2);
  p.add(1, 5, Kind::mutex_lock, 2);
  mode.learn(ChannelRun(p), child, true);
  ASSERT_EQ(mode.queued(), 1u);
  const Schedule grandchild = mode.next({}, rng);
  ASSERT_EQ(grandchild.delays.size(), 2u);
  EXPECT_EQ(grandchild.delays[0], child.delays[0]);
  EXPECT_EQ(grandchild.delays[1].what.site, 3u);
  EXPECT_EQ(grandchild.delays[1].until.site, 5u);
}

}  // namespace
}  // namespace heddle::mutator
