#include <errno.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "controlled_run.h"

namespace heddle::test {
namespace {

using rt::FindingType;
using namespace std::chrono_literals;

TEST(Mutex, Excludes) {
  bool broken = false;
  const Ends ends = run_seeds(200, [&] {
    std::mutex m;
    bool inside = false;
    const auto work = [&] {
      std::lock_guard l(m);
      broken = broken || inside;
      inside = true;
      std::this_thread::yield();
      inside = false;
    };
    std::thread a(work), b(work);
    a.join();
    b.join();
  });
  EXPECT_EQ(ends.finished, 200);
  EXPECT_FALSE(broken);
}

TEST(Mutex, TwoInOppositeOrdersDeadlockSometimes) {
  const Ends ends = run_seeds(300, [] {
    std::mutex m, n;
    std::thread t([&] {
      std::lock_guard x(n);
      std::lock_guard y(m);
    });
    {
      std::lock_guard x(m);
      std::lock_guard y(n);
    }
    t.join();
  });
  EXPECT_GT(ends.stuck, 20);
  EXPECT_GT(ends.finished, 20);
  EXPECT_EQ(ends.all(), ends.stuck + ends.finished);
}

Result with_type(int type, void (*what)(pthread_mutex_t*)) {
  return run_seed(1, [=] {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, type);
    pthread_mutex_t m;
    pthread_mutex_init(&m, &attributes);
    what(&m);
  });
}

void lock_twice(pthread_mutex_t* m) {
  pthread_mutex_lock(m);
  pthread_mutex_lock(m);
}

TEST(Mutex, LockedTwice) {
  const Result normal = with_type(PTHREAD_MUTEX_NORMAL, lock_twice);
  EXPECT_TRUE(normal.stuck());
  EXPECT_TRUE(normal.found(FindingType::double_lock));
  for (const int type : {PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK}) {
    const Result r = with_type(type, lock_twice);
    EXPECT_TRUE(r.finished());
    EXPECT_TRUE(r.findings.empty());
  }
}

TEST(Mutex, Misuse) {
  const auto unlock = [](pthread_mutex_t* m) { pthread_mutex_unlock(m); };
  EXPECT_TRUE(with_type(PTHREAD_MUTEX_NORMAL, unlock).found(FindingType::unlock_not_locked));
  EXPECT_TRUE(with_type(PTHREAD_MUTEX_ERRORCHECK, unlock).findings.empty());
  EXPECT_TRUE(with_type(PTHREAD_MUTEX_NORMAL, [](pthread_mutex_t* m) {
                pthread_mutex_lock(m);
                std::thread([m] { pthread_mutex_unlock(m); }).join();
              }).found(FindingType::unlock_not_owner));
  EXPECT_TRUE(with_type(PTHREAD_MUTEX_NORMAL, [](pthread_mutex_t* m) {
                pthread_mutex_lock(m);
                pthread_mutex_destroy(m);
              }).found(FindingType::destroy_held));
  EXPECT_TRUE(with_type(PTHREAD_MUTEX_NORMAL, [](pthread_mutex_t* m) {
                pthread_mutex_destroy(m);
                pthread_mutex_lock(m);
              }).found(FindingType::use_after_destroy));
}

// std::mutex announces neither construction nor destruction: another one at the same address starts free.
TEST(Mutex, AnotherOneAtTheSameAddressIsNew) {
  const Ends ends = run_seeds(20, [] {
    alignas(std::mutex) unsigned char memory[sizeof(std::mutex)];
    for (int i = 0; i < 3; ++i) {
      std::mutex* m = new (memory) std::mutex;
      m->lock();  // and never unlocked
    }
  });
  EXPECT_EQ(ends.finished, 20);
  EXPECT_TRUE(ends.findings.empty());
}

TEST(Mutex, TimedLocksGoBothWays) {
  int outcomes[2] = {};
  const Ends ends = run_seeds(200, [&] {
    std::timed_mutex m;
    std::thread t([&] {
      std::lock_guard l(m);
      std::this_thread::sleep_for(3ms);
    });
    const bool got = m.try_lock_for(10ms);
    ++outcomes[got];
    if (got) m.unlock();
    t.join();
  });
  EXPECT_EQ(ends.finished, 200);
  EXPECT_GT(outcomes[0], 0);
  EXPECT_GT(outcomes[1], 0);
}

TEST(Condvar, APredicateInALoopNeverHangs) {
  const Ends ends = run_seeds(300, [] {
    std::mutex m;
    std::condition_variable c;
    bool ready = false;
    std::thread t([&] {
      std::lock_guard l(m);
      ready = true;
      c.notify_one();
    });
    {
      std::unique_lock l(m);
      c.wait(l, [&] { return ready; });
    }
    t.join();
  });
  EXPECT_EQ(ends.finished, 300);
}

TEST(Condvar, ASignalBeforeTheWaitIsLost) {
  const Ends ends = run_seeds(300, [] {
    std::mutex m;
    std::condition_variable c;
    std::thread t([&] { c.notify_one(); });
    {
      std::unique_lock l(m);
      c.wait(l);
    }
    t.join();
  });
  EXPECT_GT(ends.stuck, 20);
  EXPECT_GT(ends.finished, 20);
}

TEST(Condvar, ASignalTakesAnyWaiterABroadcastAll) {
  int first[2] = {};
  const Ends ends = run_seeds(300, [&] {
    std::mutex m;
    std::condition_variable c;
    int tickets = 0, gone = 0;
    std::thread threads[2];
    for (int i = 0; i < 2; ++i) {
      threads[i] = std::thread([&, i] {
        std::unique_lock l(m);
        c.wait(l, [&] { return tickets > 0; });
        --tickets;
        if (gone++ == 0) ++first[i];
      });
    }
    std::this_thread::sleep_for(1ms);
    {
      std::lock_guard l(m);
      ++tickets;
      c.notify_one();
    }
    std::this_thread::sleep_for(1ms);
    {
      std::lock_guard l(m);
      ++tickets;
      c.notify_all();
    }
    for (std::thread& t : threads) t.join();
  });
  EXPECT_EQ(ends.finished, 300);
  EXPECT_GT(first[0], 50);
  EXPECT_GT(first[1], 50);
}

TEST(Condvar, WakesSpuriouslyNowAndThen) {
  const Ends ends = run_seeds(400, [] {
    std::mutex m;
    std::condition_variable c;
    std::unique_lock l(m);
    c.wait(l);
  });
  EXPECT_GT(ends.finished, 5);
  EXPECT_GT(ends.stuck, 300);
}

TEST(Condvar, DestroyedUnderItsWaiter) {
  const Ends ends = run_seeds(100, [] {
    static pthread_mutex_t m;
    static pthread_cond_t c;
    pthread_mutex_init(&m, nullptr);
    pthread_cond_init(&c, nullptr);
    std::thread([] {
      pthread_mutex_lock(&m);
      pthread_cond_wait(&c, &m);
    }).detach();
    std::this_thread::sleep_for(1ms);
    pthread_cond_destroy(&c);
  });
  EXPECT_GT(ends.findings.count(FindingType::destroy_waited), 0u);
}

TEST(Condvar, NeedsItsMutex) {
  int answer = 0;
  const Result r = run_seed(1, [&] {
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    answer = pthread_cond_wait(&c, &m);
  });
  EXPECT_EQ(answer, EPERM);
  EXPECT_TRUE(r.found(FindingType::unlock_not_owner));
}

// The waiters are counted, so that each round does something new; and a schedule may prefer that each wait ends without a cause.
TEST(Condvar, WakingSpuriouslyEveryTimeIsNoRunWithoutEnd) {
  const auto body = [] {
    std::mutex m;
    std::condition_variable changed;
    sem_t waits;
    sem_init(&waits, 0, 0);
    bool done = false;
    std::thread waker([&] {
      std::this_thread::sleep_for(1ms);
      std::lock_guard l(m);
      done = true;
      changed.notify_one();
    });
    {
      std::unique_lock l(m);
      while (!done) {
        sem_post(&waits);
        changed.wait(l);
      }
    }
    waker.join();
    sem_destroy(&waits);
  };
  const Result first = run_seed(1, body);
  ASSERT_TRUE(first.finished());
  const Event* wake = first.event(Kind::cond_wake, 0);
  ASSERT_NE(wake, nullptr);
  Schedule always{};
  always.seed = 1;
  SelectPreference p{};
  p.site = wake->site;
  p.kind = Kind::cond_wake;
  p.choice = 1;
  always.selects.push_back(p);
  const Result r = run(always, body);
  EXPECT_TRUE(r.finished());
  EXPECT_GT(r.count(Kind::cond_wake), 2);  // the preference was followed
  EXPECT_LT(r.events.size(), 1000u);
}

// Two threads that give way to each other. The schedule prefers that each fails to lock the other's mutex, at every instance. This must not go on
// without end.
TEST(Mutex, GivingWayEnds) {
  const auto body = [] {
    std::mutex a, b;
    std::thread t([&] { std::scoped_lock both(a, b); });
    { std::scoped_lock both(b, a); }
    t.join();
  };
  int gave_way = 0;
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    const Result first = run_seed(seed, body);
    ASSERT_TRUE(first.finished());
    Schedule fails{};
    fails.seed = seed;
    for (const Event& e : first.events) {
      if (e.kind != Kind::mutex_trylock) continue;
      SelectPreference p{};
      p.site = e.site;
      p.kind = e.kind;
      p.choice = 1;
      fails.selects.push_back(p);
    }
    const Result r = run(fails, body);
    EXPECT_TRUE(r.finished()) << seed;
    EXPECT_LT(r.events.size(), 2000u) << seed;
    gave_way += r.events.size() > first.events.size();
  }
  EXPECT_GT(gave_way, 10);
}

}  // namespace
}  // namespace heddle::test
