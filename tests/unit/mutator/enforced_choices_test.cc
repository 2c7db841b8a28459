// The moves on choices of the select kind, on delays, on the search and on data bytes, and what the run then does.
#include <gtest/gtest.h>
#include <semaphore.h>
#include <time.h>

#include <algorithm>
#include <set>

#include "enforced_run.h"

namespace heddle::mutator {
namespace {

// --- choices ----------------------------------------------------------------------------------

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER, all_wait = PTHREAD_COND_INITIALIZER;
int waiting = 0;
int x = 0;

void* waits(void*) {
  pthread_mutex_lock(&m);
  ++waiting;
  pthread_cond_broadcast(&all_wait);
  pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return nullptr;
}

void begin() {
  m = PTHREAD_MUTEX_INITIALIZER;
  c = all_wait = PTHREAD_COND_INITIALIZER;
  x = waiting = 0;
}

// One notification, when all wait.
int waiters(int count) {
  begin();
  pthread_t t[3];
  for (int i = 0; i < count; ++i) pthread_create(&t[i], nullptr, waits, nullptr);
  pthread_mutex_lock(&m);
  while (waiting < count) pthread_cond_wait(&all_wait, &m);
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  pthread_join(t[0], nullptr);
  return 0;
}

int one_waiter(const uint8_t*, size_t) { return waiters(1); }
int three_waiters(const uint8_t*, size_t) { return waiters(3); }

Schedule calm() {
  Schedule schedule;
  schedule.strategy = StrategyId::round_robin;
  return schedule;
}

bool preferred(const Execution& e, uint32_t event) { return event != kNone && (e.run.events[event].flags & kEventPreferred) != 0; }

TEST(EnforcedChoice, SelectFlipWakesWithoutASignal) {
  Execution parent(calm(), one_waiter);
  ASSERT_EQ(parent.run.events[parent.at(1, Kind::cond_wake)].outcome, Outcome::signalled);
  const SiteId site = parent.exact(1, Kind::cond_wake).site;
  int spurious = 0;
  for (const Schedule& child : children(parent, calm(), "select_flip")) {
    if (child.selects[0].kind != Kind::cond_wake || child.selects[0].site != site) continue;
    ++spurious;
    EXPECT_EQ(runs_that(child, one_waiter, [](const Execution& e) {
      const uint32_t wake = e.at(1, Kind::cond_wake);
      return preferred(e, wake) && e.run.events[wake].choice == 1;
    }), kSeeds);
    Execution run(child, one_waiter);
    EXPECT_EQ(run.run.events[run.at(1, Kind::cond_wake)].outcome, Outcome::spurious);
  }
  EXPECT_GT(spurious, 0);
}

TEST(EnforcedChoice, SelectFlipWakesAnotherWaiter) {
  Execution parent(calm(), three_waiters);
  const uint32_t taken = parent.run.events[parent.at(0, Kind::cond_signal)].choice;
  std::set<uint32_t> others;
  for (const Schedule& child : children(parent, calm(), "select_flip")) {
    if (child.selects[0].kind != Kind::cond_signal) continue;
    const uint32_t wanted = static_cast<uint32_t>(child.selects[0].choice) % 3;
    Execution run(child, three_waiters);
    const uint32_t signal = run.at(0, Kind::cond_signal);
    EXPECT_TRUE(preferred(run, signal));
    EXPECT_EQ(run.run.events[signal].choice, wanted);
    // The waiter that was chosen, in order of arrival, is the one that returns from its wait.
    const uint32_t woken = run.at(wanted + 1, Kind::cond_wake);
    EXPECT_EQ(run.run.events[woken].outcome, Outcome::signalled);
    EXPECT_EQ(run.run.events[woken].partner, signal);
    if (wanted != taken) others.insert(wanted);
  }
  EXPECT_EQ(others.size(), 2u);
}

void* times_out(void*) {
  const timespec late{2000000000, 0};
  if (pthread_mutex_timedlock(&m, &late) == 0) pthread_mutex_unlock(&m);
  return nullptr;
}

int timed(const uint8_t*, size_t) {
  begin();
  pthread_t t;
  pthread_mutex_lock(&m);
  pthread_create(&t, nullptr, times_out, nullptr);
  timespec little{0, 1000};
  nanosleep(&little, nullptr);
  pthread_mutex_unlock(&m);
  pthread_join(t, nullptr);
  return 0;
}

TEST(EnforcedChoice, SelectFlipLetsATimeRunOut) {
  Execution parent(calm(), timed);
  ASSERT_NE(parent.run.events[parent.at(1, Kind::mutex_timedlock)].outcome, Outcome::timeout);
  for (const Schedule& child : children(parent, calm(), "select_flip")) {
    if (child.selects[0].kind != Kind::mutex_timedlock) continue;  // the sleep
    ASSERT_EQ(child.selects[0].choice, 1);
    Execution run(child, timed);
    const uint32_t lock = run.at(1, Kind::mutex_timedlock);
    EXPECT_TRUE(preferred(run, lock));
    EXPECT_EQ(run.run.events[lock].outcome, Outcome::timeout);
    // And back again.
    for (const Schedule& back : children(run, child, "select_flip")) {
      if (!back.selects.empty() && back.selects[0].kind != Kind::mutex_timedlock) continue;
      Execution again(back, timed);
      EXPECT_NE(again.run.events[again.at(1, Kind::mutex_timedlock)].outcome, Outcome::timeout);
    }
  }
}

// A lock that is free when the time is to run out: the operation waits for a holder, which no time alone makes.
sem_t permits;
pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
const timespec kLate{2'000'000'000, 0};

void* holds_all(void*) {
  sem_wait(&permits);
  pthread_mutex_lock(&m);
  pthread_rwlock_rdlock(&shared);
  pthread_rwlock_unlock(&shared);
  pthread_mutex_unlock(&m);
  sem_post(&permits);
  return nullptr;
}

template <void (*Try)()>
void* tries(void*) {
  Try();
  return nullptr;
}

void try_mutex() {
  if (pthread_mutex_timedlock(&m, &kLate) == 0) pthread_mutex_unlock(&m);
}
void try_shared() {
  if (pthread_rwlock_timedwrlock(&shared, &kLate) == 0) pthread_rwlock_unlock(&shared);
}
void try_permit() {
  if (sem_timedwait(&permits, &kLate) == 0) sem_post(&permits);
}

template <void (*Try)()>
int held_at_times(const uint8_t*, size_t) {
  begin();
  shared = PTHREAD_RWLOCK_INITIALIZER;
  sem_init(&permits, 0, 1);
  return both(tries<Try>, holds_all);
}

template <void (*Try)()>
int never_held(const uint8_t*, size_t) {
  begin();
  shared = PTHREAD_RWLOCK_INITIALIZER;
  sem_init(&permits, 0, 1);
  pthread_t t;
  pthread_create(&t, nullptr, tries<Try>, nullptr);
  pthread_join(t, nullptr);
  return 0;
}

template <void (*Try)()>
void expect_holder_awaited(Kind kind) {
  Execution parent(calm(), held_at_times<Try>);
  const uint32_t lock = parent.at(1, kind);
  ASSERT_NE(lock, kNone);
  ASSERT_EQ(parent.run.events[lock].outcome, Outcome::success);
  Schedule child = calm();
  child.selects.push_back({.thread = parent.exact(1, kind).thread, .site = parent.exact(1, kind).site, .instance = 1, .choice = 1, .kind = kind});
  // Nearly always at once: the holder would soon let go.
  EXPECT_GE(runs_that(child, held_at_times<Try>, [&](const Execution& e) {
    const uint32_t tried = e.at(1, kind);
    return e.finished() && preferred(e, tried) && e.run.events[tried].outcome == Outcome::timeout;
  }), kSeeds * 3 / 4);
  // Where nobody ever has it, it is had at last.
  Execution alone(child, never_held<Try>);
  const uint32_t had = alone.at(1, kind);
  EXPECT_TRUE(alone.finished());
  EXPECT_EQ(alone.run.events[had].outcome, Outcome::success);
  EXPECT_FALSE(preferred(alone, had));
}

TEST(EnforcedChoice, ATimeThatIsToRunOutWaitsForAHolder) {
  expect_holder_awaited<try_mutex>(Kind::mutex_timedlock);
  expect_holder_awaited<try_shared>(Kind::rwlock_wrlock);
  expect_holder_awaited<try_permit>(Kind::semaphore_wait);
}

// --- delays -----------------------------------------------------------------------------------

void* writes(void*) {
  __tsan_atomic32_store(&x, 1, kSeqCst);
  return nullptr;
}

void* reads(void*) {
  __tsan_atomic32_load(&x, kSeqCst);
  __tsan_atomic32_load(&x, kSeqCst);
  return nullptr;
}

int write_and_read(const uint8_t*, size_t) {
  begin();
  return both(writes, reads);
}

TEST(EnforcedDelay, WhatIsHeldComesAfterWhatItWaitsFor) {
  Execution parent(calm(), write_and_read);
  const uint32_t store = parent.at(1, Kind::atomic_store);
  ASSERT_TRUE(parent.before(store, parent.at(2, Kind::atomic_load)));
  std::set<SiteId> awaited;
  for (const Schedule& child : children(parent, {}, "delay")) {
    ASSERT_EQ(child.delays.size(), 1u);
    const Delay& d = child.delays[0];
    ASSERT_TRUE(same_op(d.what, parent.run.relations().exact(store)));
    awaited.insert(d.until.site);
    const bool alone = d.until.site == kNoSite;  // until nothing else can run
    EXPECT_EQ(runs_that(child, write_and_read, [&](const Execution& e) {
      const uint32_t held = e.run.relations().find(d.what);
      const uint32_t until = alone ? e.at(2, Kind::atomic_load, 1) : e.run.relations().find(d.until);
      return e.finished() && e.before(until, held) && (alone || e.flagged(kEventReleased) == 0);
    }), kSeeds);
    EXPECT_GT(runs_that(child, write_and_read, [](const Execution& e) { return e.flagged(kEventDelayed) == 1; }), 0);
  }
  EXPECT_EQ(awaited.size(), 3u);
  EXPECT_LT(runs_that({}, write_and_read, [](const Execution& e) {
    return e.before(e.at(2, Kind::atomic_load), e.at(1, Kind::atomic_store));
  }), kSeeds);
}

// --- the search -------------------------------------------------------------------------------

void* many(void*) {
  for (int i = 0; i < 20; ++i) __tsan_atomic32_store(&x, i, kSeqCst);
  return nullptr;
}

int busy(const uint8_t*, size_t) {
  begin();
  return both(many, many);
}

// How often the stores change hands.
int switches(const Execution& e) {
  uint32_t last = kNone;
  int n = -1;
  for (const Event& event : e.run.events) {
    if (event.kind != Kind::atomic_store) continue;
    n += event.thread != last;
    last = event.thread;
  }
  return n;
}

TEST(EnforcedSearch, ReseedMakesOtherRuns) {
  Schedule schedule;
  schedule.strategy = StrategyId::random_walk;
  Execution parent(schedule, busy);
  std::set<uint64_t> hashes{parent.hash};
  const auto results = children(parent, schedule, "reseed", 20);
  EXPECT_EQ(results.size(), 20u);
  for (const Schedule& child : results) {
    const Execution run(child, busy);
    EXPECT_EQ(run.run.events.size(), parent.run.events.size());
    EXPECT_EQ(run.hash, Execution(child, busy).hash);
    hashes.insert(run.hash);
  }
  EXPECT_EQ(hashes.size(), results.size() + 1);
}

TEST(EnforcedSearch, StrategyChangeDecidesWhoPicks) {
  Execution parent({}, busy);
  std::set<StrategyId> strategies;
  int walks = 0, walked = 0, blocks = 0, sticky = 0, stayed = 0, targeted = 0;
  Schedule odd;  // so that no child is like it
  odd.stickiness = 1;
  for (Schedule& child : children(parent, odd, "strategy_change", 400)) {
    strategies.insert(child.strategy);
    for (child.seed = 1; child.seed <= 3; ++child.seed) {
      const Execution run(child, busy);
      if (child.strategy != StrategyId::automatic) EXPECT_EQ(rt::engine().strategy().id, child.strategy);
      const int n = switches(run);
      if (child.strategy == StrategyId::round_robin) blocks = std::max(blocks, n);
      if (child.strategy == StrategyId::random_walk) ++walks, walked += n;
      if (child.strategy == StrategyId::sticky && child.stickiness >= 240) ++sticky, stayed += n;
      if (child.strategy == StrategyId::pct) EXPECT_LE(n, 2 * child.pct_depth + 12);
    }
    if (child.surw_site != kNoSite) {
      ++targeted;
      EXPECT_EQ(child.surw_site, parent.exact(1, Kind::atomic_store).site);
      ASSERT_EQ(child.weights.size(), 2u);
      EXPECT_EQ(child.weights[0].count, 20u);
    }
  }
  EXPECT_EQ(strategies.size(), static_cast<size_t>(kStrategyCount));
  EXPECT_EQ(blocks, 1);  // run to block: one thread, then the other
  ASSERT_GT(walks, 0);
  ASSERT_GT(sticky, 0);
  EXPECT_GT(walked / walks, 12);
  EXPECT_LT(stayed / sticky, 8);
  EXPECT_GT(targeted, 0);
}

// --- data bytes -------------------------------------------------------------------------------

std::vector<uint8_t>* g_given = nullptr;

int keeps_its_data(const uint8_t* data, size_t size) {
  g_given->assign(data, data + size);
  begin();
  return both(writes, reads);
}

TEST(EnforcedPayload, TheHarnessGetsTheBytesUnderTheSameSchedule) {
  std::vector<uint8_t> given;
  g_given = &given;
  Schedule schedule;
  schedule.seed = 7;
  schedule.payload = {1, 2, 3};
  Execution parent(schedule, keeps_its_data);
  EXPECT_EQ(given, schedule.payload);
  for (const Schedule& child : children(parent, schedule, "payload", 50)) {
    EXPECT_NE(child.payload, schedule.payload);
    const Execution run(child, keeps_its_data);
    EXPECT_EQ(given, child.payload);
    EXPECT_EQ(run.hash, parent.hash);  // a program that ignores its data does the same again
  }
}

}  // namespace
}  // namespace heddle::mutator
