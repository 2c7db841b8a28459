// The ladder for when nothing moves (docs/design/runtime-laws.md#when-nothing-moves), on programs: for each rung one that passes
// because of it, and one that goes on to a later rung.
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "controlled_run.h"

extern "C" int __tsan_atomic32_fetch_add(volatile int*, int, int);

namespace heddle::test {
namespace {

using rt::EndReason;
using namespace std::chrono_literals;

Element element_of(const Result& r, const Event& e, uint8_t chain = 0) {
  Element out = {};
  out.thread = r.threads[e.thread].id;
  out.site = e.site;
  out.occurrence = e.occurrence;
  out.kind = e.kind;
  out.chain = chain;
  return out;
}

Schedule with_seed(uint64_t seed) {
  Schedule s;
  s.seed = seed;
  return s;
}

// A volatile, so that the flag is read again and again without an operation of its own.
void spin_until(volatile bool& flag) {
  while (!flag) std::this_thread::yield();
}

TEST(Ladder, ASpinnerLetsTheOthersGoFirst) {
  size_t most = 0;
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    volatile bool flag = false;
    const Result r = run_seed(seed, [&] {
      std::thread t([&] { spin_until(flag); });
      std::mutex m;
      for (int i = 0; i < 20; ++i) std::lock_guard l(m);
      flag = true;
      t.join();
    });
    EXPECT_TRUE(r.finished());
    most = std::max(most, r.events.size());
  }
  EXPECT_LT(most, 200u);
}

TEST(Ladder, SpinnersAloneAreALivelock) {
  const Result r = run_seed(1, [] {
    volatile bool never = false;
    std::thread t([&] { spin_until(never); });
    spin_until(never);
  });
  EXPECT_EQ(r.end, EndReason::livelock);
}

TEST(Ladder, NobodyCanMoveIsADeadlock) {
  const Result r = run_seed(1, [] {
    std::mutex m;
    m.lock();
    std::thread([&] { m.lock(); }).join();
  });
  EXPECT_TRUE(r.stuck());
  EXPECT_EQ(r.threads[1].state, static_cast<uint8_t>(ThreadEnd::joinable_blocked));
}

TEST(Ladder, TimeMovesWhenNothingElseDoes) {
  const Ends ends = run_seeds(50, [] {
    std::mutex m;
    std::condition_variable c;
    std::unique_lock l(m);
    c.wait_for(l, 1h);
  });
  EXPECT_EQ(ends.finished, 50);
}

TEST(Ladder, ASpinnerWaitsForASleeper) {
  const Ends ends = run_seeds(50, [] {
    volatile bool flag = false;
    std::thread t([&] {
      std::this_thread::sleep_for(1h);
      flag = true;
    });
    spin_until(flag);
    t.join();
  });
  EXPECT_EQ(ends.finished, 50);
}

// Polls under a lock until it gets the order to stop, and counts how often: always something new.
struct Poller {
  std::mutex m;
  int looks = 0;
  volatile bool stop = false;

  void poll() {
    while (!stop) {
      m.lock();
      m.unlock();
      // Four operations, eight steps: they divide a window, so the poller has the lock at the end of each window or of none.
      __tsan_atomic32_fetch_add(&looks, 1, 5);
      __tsan_atomic32_fetch_add(&looks, 1, 5);
    }
  }
  void let_poll(uint64_t operations_before) {
    for (uint64_t i = 0; i < operations_before; ++i) __tsan_atomic32_fetch_add(&looks, 1, 5);
    std::thread t([this] { poll(); });
    for (int i = 0; i < 3; ++i) std::lock_guard l(m);
    stop = true;
    t.join();
  }
};

TEST(Ladder, ABusyThreadKeepsNoHeldOperationForEver) {
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    Poller p;
    const Result parent = run_seed(seed, [&] { p.let_poll(seed % 4); });
    const Event* lock = parent.event(Kind::mutex_lock, 0, 2);
    ASSERT_NE(lock, nullptr);
    Schedule s = with_seed(seed);
    Delay d = {};
    d.what = d.until = element_of(parent, *lock);
    d.until.site ^= 0x1234;  // never comes
    s.delays = {d};
    Poller again;
    ASSERT_TRUE(run(s, [&] { again.let_poll(seed % 4); }).finished()) << "seed " << seed;
  }
}

// Waits in a loop for a flag, and counts how often it has looked: each round is something new.
struct Counter {
  int stop = 0, looks = 0, other = 0;

  void wait() {
    while (__tsan_atomic32_fetch_add(&stop, 0, 5) == 0) __tsan_atomic32_fetch_add(&looks, 1, 5);
  }
  void until_set() {
    std::thread waits([this] { wait(); }), sets([this] { __tsan_atomic32_fetch_add(&stop, 1, 5); });
    waits.join();
    sets.join();
  }
  // A thread that waits for no other thread, for any length of time.
  void beside_long_work() {
    std::thread t([this] {
      for (int i = 0; i < 2000; ++i) __tsan_atomic32_fetch_add(&other, 1, 5);
    });
    __tsan_atomic32_fetch_add(&stop, 1, 5);
    t.join();
  }
};

// The store that ends the wait, delayed without end.
Schedule with_held_store(const Result& parent, uint32_t thread, uint64_t seed) {
  const Event* const store = parent.event(Kind::atomic_rmw, thread);
  Schedule s = with_seed(seed);
  Delay d = {};
  d.what = d.until = element_of(parent, *store);
  d.until.site ^= 0x1234;
  s.delays = {d};
  return s;
}

TEST(Ladder, AWaitThatCountsItsRoundsEndsSoon) {
  size_t all = 0, held = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    Counter c, again;
    const Result free = run_seed(seed, [&] { c.until_set(); });
    ASSERT_TRUE(free.finished());
    all += free.events.size();
    const Result r = run(with_held_store(free, 2, seed), [&] { again.until_set(); });
    ASSERT_TRUE(r.finished());
    held += r.events.size();
  }
  EXPECT_LT(all / 200, 100u);
  EXPECT_LT(held / 200, 3000u);
}

// In the default schedule no decision lets a time limit expire early, and the work of other threads does not make it expire.
TEST(Ladder, AWatchdogOutlivesAThousandOperations) {
  for (const int rounds : {5, 50, 300}) {
    bool timed_out = false;
    Schedule schedule;
    schedule.seed = 2;  // draws no early end of the wait
    const Result r = run(schedule, [&] {
      std::mutex m;
      std::condition_variable c;
      bool done = false;
      int work = 0;
      std::thread watchdog([&] {
        std::unique_lock l(m);
        timed_out = !c.wait_for(l, 1min, [&] { return done; });
      });
      for (int i = 0; i < rounds; ++i) {
        __tsan_atomic32_fetch_add(&work, 1, 5);
        std::lock_guard l(m);
      }
      m.lock();
      done = true;
      m.unlock();
      c.notify_one();
      watchdog.join();
    });
    EXPECT_TRUE(r.finished());
    EXPECT_FALSE(timed_out) << rounds;
  }
}

TEST(Ladder, ALoopThatDoesNotTouchItKeepsWhatIsHeld) {
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    Counter c, again;
    const Schedule s = with_held_store(run_seed(seed, [&] { c.beside_long_work(); }), 0, seed);
    const Result r = run(s, [&] { again.beside_long_work(); });
    const Event* const store = r.event(Kind::atomic_rmw, 0);
    const Event* const last = r.event(Kind::atomic_rmw, 1, 1999);
    ASSERT_TRUE(store != nullptr && last != nullptr);
    EXPECT_GT(store->done, last->done) << "seed " << seed;
  }
}

void two_locks() {
  std::mutex m;
  const auto work = [&] { std::lock_guard l(m); };
  std::thread a(work), b(work);
  a.join();
  b.join();
}

// Thread 2's lock before thread 1's, with any seed.
TEST(Ladder, AChainHoldsAnOpUntilItsTurn) {
  const Result parent = run(with_seed(1), two_locks);
  Schedule s = with_seed(0);
  s.elements = {element_of(parent, *parent.event(Kind::mutex_lock, 2)), element_of(parent, *parent.event(Kind::mutex_lock, 1))};
  for (s.seed = 1; s.seed <= 50; ++s.seed) {
    const Result r = run(s, two_locks);
    ASSERT_TRUE(r.finished());
    EXPECT_LT(r.event(Kind::mutex_lock, 2)->done, r.event(Kind::mutex_lock, 1)->done);
    EXPECT_EQ(r.chains[0].realised, 2u);
    EXPECT_TRUE(r.event(Kind::mutex_lock, 1)->flags & kEventElement);
  }
}

// Held is not blocked: an impossible order is given up, and the program still ends.
TEST(Ladder, AnImpossibleChainIsReleasedAndReported) {
  const Result parent = run(with_seed(1), two_locks);
  Schedule s = with_seed(0);
  // The join of thread 1 by main, before thread 1's lock.
  s.elements = {element_of(parent, *parent.event(Kind::thread_join, 0)), element_of(parent, *parent.event(Kind::thread_exit, 1))};
  for (s.seed = 1; s.seed <= 50; ++s.seed) {
    const Result r = run(s, two_locks);
    ASSERT_TRUE(r.finished());
    // The join was parked when everything else was held: that counts as done.
    EXPECT_EQ(r.chains[0].realised, 2u);
  }
  Element nobody = s.elements[1];
  nobody.site ^= 0x1234;
  s.elements = {nobody, s.elements[1]};
  for (s.seed = 1; s.seed <= 50; ++s.seed) {
    const Result r = run(s, two_locks);
    ASSERT_TRUE(r.finished());
    EXPECT_EQ(r.chains[0].realised, 0u);
    EXPECT_TRUE(r.event(Kind::thread_exit, 1)->flags & kEventReleased);
  }
}

void sleeper_and_locker() {
  std::mutex m;
  std::thread a([&] {
    std::this_thread::sleep_for(1h);
    std::lock_guard l(m);
  });
  std::thread b([&] { std::lock_guard l(m); });
  std::thread c([&] { std::this_thread::sleep_for(1ms); });
  a.join();
  b.join();
  c.join();
}

// The chain waits for what a sleeping thread will do: time goes on for it, rather than the chain be given up.
TEST(Ladder, AChainWakesTheSleeperItWaitsFor) {
  const Result parent = run(with_seed(1), sleeper_and_locker);
  const Element sleep = element_of(parent, *parent.event(Kind::sleep, 1));
  const Element after = element_of(parent, *parent.event(Kind::mutex_lock, 1));
  const Element held = element_of(parent, *parent.event(Kind::mutex_lock, 2));
  Schedule s = with_seed(0);
  for (const Element& first : {sleep, after}) {
    s.elements = {first, held};
    for (s.seed = 1; s.seed <= 30; ++s.seed) {
      const Result r = run(s, sleeper_and_locker);
      ASSERT_TRUE(r.finished());
      EXPECT_EQ(r.chains[0].realised, 2u) << "seed " << s.seed;
      EXPECT_LT(r.event(Kind::sleep, 1)->done, r.event(Kind::mutex_lock, 2)->done);
    }
  }
}

// The poller learns nothing in its rounds; time is what it waits for.
void poller_and_locker() {
  std::mutex polled, late;
  const auto until = std::chrono::steady_clock::now() + 1500ms;
  std::thread poller([&] {
    for (;; std::this_thread::sleep_for(100ms)) {
      std::lock_guard l(polled);
      if (std::chrono::steady_clock::now() >= until) break;
    }
    std::lock_guard l(late);
  });
  late.lock();
  late.unlock();
  poller.join();
}

TEST(Ladder, AChainOrADelayHoldsOnThroughAPollingLoop) {
  const Result parent = run(with_seed(1), poller_and_locker);
  const auto lock_of = [](const Result& r, bool poller) {
    const Event* found = nullptr;
    for (const Event& e : r.events) {
      if (e.kind == Kind::mutex_lock && (e.thread != 0) == poller) found = &e;
    }
    return found;
  };
  const Element late = element_of(parent, *lock_of(parent, true)), held = element_of(parent, *lock_of(parent, false));
  Schedule chain, delay;
  chain.elements = {late, held};
  delay.delays = {{held, late}};
  for (Schedule* s : {&chain, &delay}) {
    for (s->seed = 1; s->seed <= 30; ++s->seed) {
      const Result r = run(*s, poller_and_locker);
      ASSERT_TRUE(r.finished());
      EXPECT_LT(lock_of(r, true)->done, lock_of(r, false)->done) << "seed " << s->seed;
    }
  }
}

TEST(Ladder, ADelayIsHeldUntilNothingElseCanRun) {
  const Result parent = run(with_seed(1), two_locks);
  Schedule s = with_seed(0);
  s.delays = {{element_of(parent, *parent.event(Kind::mutex_lock, 1)), {}}};
  for (s.seed = 1; s.seed <= 50; ++s.seed) {
    const Result r = run(s, two_locks);
    ASSERT_TRUE(r.finished());
    EXPECT_LT(r.event(Kind::mutex_lock, 2)->done, r.event(Kind::mutex_lock, 1)->done);
    EXPECT_TRUE(r.event(Kind::mutex_lock, 1)->flags & kEventDelayed);
  }
}

// A run is a function of its input: the same bytes, the same events.
TEST(Ladder, TheSameInputGivesTheSameRun) {
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    const Result a = run(with_seed(seed), sleeper_and_locker);
    run(with_seed(seed + 1000), two_locks);
    const Result b = run(with_seed(seed), sleeper_and_locker);
    ASSERT_EQ(a.events.size(), b.events.size());
    for (size_t i = 0; i < a.events.size(); ++i) {
      EXPECT_EQ(a.events[i].site, b.events[i].site);
      EXPECT_EQ(a.events[i].thread, b.events[i].thread);
      EXPECT_EQ(a.events[i].kind, b.events[i].kind);
    }
  }
}

}  // namespace
}  // namespace heddle::test
