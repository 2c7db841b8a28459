// The moves on choices of the select kind, and what the run then does.
#include <gtest/gtest.h>
#include <semaphore.h>
#include <time.h>

#include <set>

#include "enforced_run.h"
#include "heddle/csp.h"

namespace heddle::mutator {
namespace {

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER, all_wait = PTHREAD_COND_INITIALIZER;
int waiting = 0;

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
  waiting = 0;
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
    // It wakes at once and goes on: what main does could be the cause.
    EXPECT_EQ(runs_that(child, one_waiter, [](const Execution& e) {
      const uint32_t wake = e.at(1, Kind::cond_wake);
      return e.run.events[wake - 1].kind == Kind::cond_wait && e.run.events[wake - 1].thread == 1 && e.run.events[wake + 1].thread == 1;
    }), kSeeds);
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

sem_t permits;
const timespec kLate{2'000'000'000, 0};

void* times_out(void*) {
  sem_post(&permits);
  if (pthread_mutex_timedlock(&m, &kLate) == 0) pthread_mutex_unlock(&m);
  return nullptr;
}

int timed(const uint8_t*, size_t) {
  begin();
  sem_init(&permits, 0, 0);
  pthread_t t;
  pthread_mutex_lock(&m);
  pthread_create(&t, nullptr, times_out, nullptr);
  sem_wait(&permits);
  pthread_mutex_unlock(&m);
  pthread_join(t, nullptr);
  return 0;
}

TEST(EnforcedChoice, SelectFlipLetsATimeRunOut) {
  Execution parent(calm(), timed);
  ASSERT_NE(parent.run.events[parent.at(1, Kind::mutex_timedlock)].outcome, Outcome::timeout);
  for (const Schedule& child : children(parent, calm(), "select_flip")) {
    ASSERT_EQ(child.selects[0].kind, Kind::mutex_timedlock);
    ASSERT_EQ(child.selects[0].choice, 1);
    Execution run(child, timed);
    const uint32_t lock = run.at(1, Kind::mutex_timedlock);
    EXPECT_TRUE(preferred(run, lock));
    EXPECT_EQ(run.run.events[lock].outcome, Outcome::timeout);
    // And back again.
    for (const Schedule& back : children(run, child, "select_flip")) {
      Execution again(back, timed);
      EXPECT_NE(again.run.events[again.at(1, Kind::mutex_timedlock)].outcome, Outcome::timeout);
    }
  }
}

// A lock that is free when the time is to run out: the operation waits for a holder, which no time alone makes.
pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;

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
  EXPECT_EQ(runs_that(child, held_at_times<Try>, [&](const Execution& e) {
    const uint32_t tried = e.at(1, kind);
    return e.finished() && preferred(e, tried) && e.run.events[tried].outcome == Outcome::timeout;
  }), kSeeds);
  // If no thread ever holds it, the last try gets it.
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

int three_hundred_selects(const uint8_t*, size_t) {
  const auto a = make_chan<int>(1), b = make_chan<int>(1);
  selector any;
  any.receive(a);
  any.receive(b);
  for (int round = 0; round < 300; ++round) {
    a.try_send(1);
    b.try_send(1);
    any.wait();
  }
  return 0;
}

TEST(EnforcedChoice, EveryInstanceIsManyAndNotAll) {
  Execution parent(calm(), three_hundred_selects);  // each round has three: a try is one, too
  ASSERT_TRUE(parent.finished());
  Schedule child = calm();
  child.selects.push_back({.site = parent.exact(0, Kind::select, 2).site, .choice = 1, .kind = Kind::select});
  const Execution e(child, three_hundred_selects);
  ASSERT_TRUE(e.finished());
  EXPECT_EQ(e.flagged(kEventPreferred), 256u);
}

}  // namespace
}  // namespace heddle::mutator
