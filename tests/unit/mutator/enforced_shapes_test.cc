// The moves that make chains of their own, or open and close them, and what the enforced run then does.
#include <gtest/gtest.h>
#include <sanitizer/tsan_interface.h>

#include <algorithm>
#include <set>

#include "enforced_run.h"

namespace heddle::mutator {
namespace {

// --- new chains between two threads -----------------------------------------------------------

int x = 0, y = 0;
int seen_x = 0, seen_y = 0;

void* sets(void*) {
  __tsan_atomic32_store(&x, 1, kSeqCst);
  __tsan_atomic32_store(&y, 1, kSeqCst);
  return nullptr;
}

void* checks(void*) {
  seen_x = __tsan_atomic32_load(&x, kSeqCst);
  seen_y = __tsan_atomic32_load(&y, kSeqCst);
  return nullptr;
}

int set_and_check(const uint8_t*, size_t) {
  x = y = 0;
  return both(sets, checks);
}

bool torn(const Execution&) { return seen_x != seen_y; }

TEST(EnforcedShape, StartChainOrdersAPair) {
  Execution parent({}, set_and_check);
  std::set<std::pair<SiteId, SiteId>> pairs;
  for (const Schedule& child : children(parent, {}, "start_chain")) {
    const Chain chain = get_chain(child, 0);
    ASSERT_EQ(chain.size(), 2u);
    pairs.insert({chain[0].site, chain[1].site});
    EXPECT_EQ(runs_that(child, set_and_check, [&](const Execution& e) { return e.realised() && e.in_order(chain); }), kSeeds);
  }
  EXPECT_EQ(pairs.size(), 4u);  // two variables, each in both orders
}

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;

void take(pthread_mutex_t& outer, pthread_mutex_t& inner) {
  pthread_mutex_lock(&outer);
  pthread_mutex_lock(&inner);
  pthread_mutex_unlock(&inner);
  pthread_mutex_unlock(&outer);
}

void* takes_m_n(void*) { return take(m, n), nullptr; }
void* takes_n_m(void*) { return take(n, m), nullptr; }

int opposite_orders(const uint8_t*, size_t) {
  m = n = PTHREAD_MUTEX_INITIALIZER;
  return both(takes_m_n, takes_n_m);
}

// The chain that crosses a cycle of lock orders makes the deadlock that the parent had missed.
TEST(EnforcedShape, StartChainClosesALockCycle) {
  Schedule calm;
  calm.strategy = StrategyId::round_robin;
  Execution parent(calm, opposite_orders);
  ASSERT_TRUE(parent.finished());
  int crossed = 0;
  for (const Schedule& child : children(parent, {}, "start_chain")) {
    if (get_chain(child, 0).size() != 4) continue;
    ++crossed;
    EXPECT_EQ(runs_that(child, opposite_orders, [](const Execution& e) { return e.stuck(); }), kSeeds);
  }
  EXPECT_EQ(crossed, 1);
}

// The same with locks made of atomics, which say when they are taken: what is held back is the operation that takes them.
int p = 0, q = 0;

void take(int& lock) {
  __tsan_mutex_pre_lock(&lock, 0);
  while (__tsan_atomic32_exchange(&lock, 1, kSeqCst) != 0) {}
  __tsan_mutex_post_lock(&lock, 0, 0);
}

void give_back(int& lock) {
  __tsan_mutex_pre_unlock(&lock, 0);
  __tsan_atomic32_store(&lock, 0, kSeqCst);
  __tsan_mutex_post_unlock(&lock, 0);
}

void take(int& outer, int& inner) {
  take(outer);
  take(inner);
  give_back(inner);
  give_back(outer);
}

void* takes_p_q(void*) { return take(p, q), nullptr; }
void* takes_q_p(void*) { return take(q, p), nullptr; }

int opposite_spins(const uint8_t*, size_t) {
  p = q = 0;
  return both(takes_p_q, takes_q_p);
}

TEST(EnforcedShape, StartChainClosesACycleOfAnnotatedLocks) {
  Schedule calm;
  calm.strategy = StrategyId::round_robin;
  Execution parent(calm, opposite_spins);
  ASSERT_TRUE(parent.finished());
  int crossed = 0;
  for (const Schedule& child : children(parent, {}, "start_chain")) {
    if (get_chain(child, 0).size() != 4) continue;
    ++crossed;
    constexpr int kFew = 3;  // a livelock takes a million operations
    EXPECT_EQ(runs_that(child, opposite_spins, [](const Execution& e) { return e.end == rt::EndReason::livelock; }, kFew), kFew);
  }
  EXPECT_EQ(crossed, 1);
}

pthread_cond_t c = PTHREAD_COND_INITIALIZER;

void* waits(void*) {
  pthread_mutex_lock(&m);
  pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return nullptr;
}

void* notifies(void*) {
  pthread_cond_signal(&c);
  return nullptr;
}

int wait_and_notify(const uint8_t*, size_t) {
  m = PTHREAD_MUTEX_INITIALIZER;
  c = PTHREAD_COND_INITIALIZER;
  return both(waits, notifies);
}

// For a wait and a notification, the chain prefers the order that loses the notification.
TEST(EnforcedShape, StartChainLosesAWakeUp) {
  Schedule calm;
  calm.strategy = StrategyId::round_robin;
  Execution parent(calm, wait_and_notify);
  ASSERT_TRUE(parent.finished());
  const Element signal = parent.exact(2, Kind::cond_signal), wait = parent.exact(1, Kind::cond_wait);
  int lost = 0;
  for (const Schedule& child : children(parent, {}, "start_chain")) {
    if (!same(get_chain(child, 0), {signal, wait})) continue;
    ++lost;
    EXPECT_EQ(runs_that(child, wait_and_notify, [&](const Execution& e) {
      const uint32_t wake = e.at(1, Kind::cond_wake);
      const bool spurious = wake != kNone && e.run.events[wake].outcome == Outcome::spurious;
      return e.in_order({signal, wait}) && (e.stuck() || spurious);
    }), kSeeds);
  }
  EXPECT_EQ(lost, 1);
}

// One thread between two steps of the other: the shape that a torn pair needs.
TEST(EnforcedShape, InterleaveTearsAPair) {
  Execution parent({}, set_and_check);
  int tears = 0;
  for (const Schedule& child : children(parent, {}, "interleave")) {
    const Chain chain = get_chain(child, 0);
    ASSERT_GE(chain.size(), 3u);
    if (chain[0].thread != kAnyThread) {
      EXPECT_EQ(chain.front().thread, chain.back().thread);
      EXPECT_NE(chain.front().thread, chain[1].thread);
    }
    // Each site is passed once, so that open elements mean the same operations as exact ones.
    EXPECT_EQ(runs_that(child, set_and_check, [&](const Execution& e) {
      for (size_t i = 1; i < chain.size(); ++i) {
        if (!e.before(e.run.relations().find_any(chain[i - 1]), e.run.relations().find_any(chain[i]))) return false;
      }
      return e.realised();
    }), kSeeds);
    tears += runs_that(child, set_and_check, torn) == kSeeds;
  }
  EXPECT_GT(tears, 0);
  const int by_chance = runs_that({}, set_and_check, torn);
  EXPECT_LT(by_chance, kSeeds);
}

// --- open chains ------------------------------------------------------------------------------

void* one_writes(void*) {
  __tsan_atomic32_store(&x, 1, kSeqCst);
  return nullptr;
}

void* one_reads(void*) {
  seen_x = __tsan_atomic32_load(&x, kSeqCst);
  return nullptr;
}

// Threads 1 and 2 write, 3 reads.
int two_writers(const uint8_t*, size_t) {
  x = 0;
  pthread_t t;
  pthread_create(&t, nullptr, one_writes, nullptr);
  both(one_writes, one_reads);
  pthread_join(t, nullptr);
  return 0;
}

bool reads_first(const Execution& e) {
  const uint32_t load = e.at(3, Kind::atomic_load);
  return e.before(load, e.at(1, Kind::atomic_store)) && e.before(load, e.at(2, Kind::atomic_store));
}

bool reads_before_thread_1(const Execution& e) { return e.before(e.at(3, Kind::atomic_load), e.at(1, Kind::atomic_store)); }

TEST(EnforcedShape, OrderConstraintHoldsForAnyThread) {
  Execution parent({}, two_writers);
  const auto results = children(parent, {}, "order_constraint");
  std::set<SiteId> first;
  for (const Schedule& child : results) {
    const Chain chain = get_chain(child, 0);
    ASSERT_EQ(chain.size(), 2u);
    first.insert(chain[0].site);
    const bool load_first = chain[0].kind == Kind::atomic_load;
    EXPECT_EQ(runs_that(child, two_writers, [&](const Execution& e) {
      return e.realised() && (load_first ? reads_first(e) : e.run.events[e.at(3, Kind::atomic_load)].partner != kNoEvent);
    }), kSeeds);
  }
  EXPECT_EQ(first.size(), 2u);
}

// An exact chain holds back one writer, the general one any writer.
TEST(EnforcedShape, GeneraliseMeansEveryThread) {
  Execution any({}, two_writers);
  const Schedule exact = with_chain({any.exact(3, Kind::atomic_load), any.exact(1, Kind::atomic_store)});
  EXPECT_EQ(runs_that(exact, two_writers, reads_before_thread_1), kSeeds);
  EXPECT_LT(runs_that(exact, two_writers, reads_first), kSeeds);
  Execution parent(exact, two_writers);
  int open = 0, variables = 0;
  for (const Schedule& child : children(parent, exact, "generalise")) {
    const Chain chain = get_chain(child, 0);
    EXPECT_EQ(runs_that(child, two_writers, [](const Execution& e) { return e.realised() && reads_before_thread_1(e); }), kSeeds);
    if (chain[0].thread != kAnyThread) continue;  // occurrences only
    ++open;
    variables += chain[0].thread_var != 0;
    EXPECT_EQ(runs_that(child, two_writers, reads_first), kSeeds);
  }
  EXPECT_EQ(open, 2);
  EXPECT_EQ(variables, 1);
}

TEST(EnforcedShape, MakeExactFreesTheOtherThread) {
  Execution any({}, two_writers);
  const Schedule open = with_chain({any.open(3, Kind::atomic_load), any.open(1, Kind::atomic_store)});
  EXPECT_EQ(runs_that(open, two_writers, reads_first), kSeeds);
  Execution parent(open, two_writers);
  const auto results = children(parent, open, "make_exact");
  ASSERT_FALSE(results.empty());
  for (const Schedule& child : results) {
    const Chain chain = get_chain(child, 0);
    ASSERT_NE(chain[1].thread, kAnyThread);
    EXPECT_EQ(runs_that(child, two_writers, [&](const Execution& e) { return e.realised() && e.in_order(chain); }), kSeeds);
    EXPECT_LT(runs_that(child, two_writers, reads_first), kSeeds);
  }
}

}  // namespace
}  // namespace heddle::mutator
