#include <errno.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#include <thread>

#include "controlled_run.h"

namespace heddle::test {
namespace {

using rt::FindingType;

TEST(Semaphore, WaitsForPosts) {
  bool early = false;
  const Ends ends = run_seeds(200, [&] {
    sem_t s;
    sem_init(&s, 0, 0);
    bool posted = false;
    std::thread poster([&] {
      posted = true;
      sem_post(&s);
    });
    sem_wait(&s);
    early = early || !posted;
    poster.join();
    sem_destroy(&s);
  });
  EXPECT_EQ(ends.finished, 200);
  EXPECT_FALSE(early);
  EXPECT_TRUE(ends.findings.empty());
}

TEST(Semaphore, OneWaitTooManyIsADeadlock) {
  const Ends ends = run_seeds(20, [] {
    sem_t s;
    sem_init(&s, 0, 1);
    sem_wait(&s);
    sem_wait(&s);
  });
  EXPECT_EQ(ends.stuck, 20);
}

TEST(Semaphore, TheCountIsTheMemorys) {
  int before = -1, after = -1, tried = 0, error = 0;
  sem_t s;  // made outside of the execution, and looked at there
  sem_init(&s, 0, 2);
  run_seed(1, [&] {
    rt::engine().watch_from_the_start();  // else it may be made again, and nobody puts the count back
    sem_getvalue(&s, &before);
    sem_wait(&s);
    sem_wait(&s);
    tried = sem_trywait(&s);
    error = errno;
    sem_post(&s);
  });
  sem_getvalue(&s, &after);
  EXPECT_EQ(before, 2);
  EXPECT_EQ(tried, -1);
  EXPECT_EQ(error, EAGAIN);
  EXPECT_EQ(after, 1);
  sem_destroy(&s);
}

TEST(Semaphore, TimedWaitsGoBothWays) {
  int outcomes[2] = {};
  run_seeds(200, [&] {
    sem_t s;
    sem_init(&s, 0, 0);
    std::thread poster([&] { sem_post(&s); });
    timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    ++t.tv_sec;
    ++outcomes[sem_timedwait(&s, &t) == 0];
    poster.join();
  });
  EXPECT_GT(outcomes[0], 0);
  EXPECT_GT(outcomes[1], 0);
}

TEST(Semaphore, DestroyedUnderItsWaiter) {
  const Ends ends = run_seeds(100, [] {
    static sem_t s;
    sem_init(&s, 0, 0);
    std::thread([] { sem_wait(&s); }).detach();
    sem_destroy(&s);
  });
  EXPECT_GT(ends.findings.count(FindingType::destroy_waited) + ends.findings.count(FindingType::use_after_destroy), 0u);
}

TEST(Barrier, RoundsAndOneSerialThread) {
  bool wrong = false;
  int serial[3] = {};
  const Ends ends = run_seeds(300, [&] {
    pthread_barrier_t b;
    pthread_barrier_init(&b, nullptr, 3);
    int arrived = 0, serials = 0;
    std::thread threads[3];
    for (int i = 0; i < 3; ++i) {
      threads[i] = std::thread([&, i] {
        for (int round = 1; round <= 2; ++round) {
          ++arrived;
          if (pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD) {
            ++serials;
            ++serial[i];
          }
          wrong = wrong || arrived < 3 * round;
        }
      });
    }
    for (std::thread& t : threads) t.join();
    wrong = wrong || serials != 2;
    pthread_barrier_destroy(&b);
  });
  EXPECT_EQ(ends.finished, 300);
  EXPECT_FALSE(wrong);
  EXPECT_TRUE(ends.findings.empty());
  for (const int n : serial) EXPECT_GT(n, 30);
}

TEST(Barrier, OneThreadMissingIsADeadlock) {
  const Ends ends = run_seeds(20, [] {
    pthread_barrier_t b;
    pthread_barrier_init(&b, nullptr, 2);
    pthread_barrier_wait(&b);
  });
  EXPECT_EQ(ends.stuck, 20);
}

TEST(Barrier, DestroyedUnderItsWaiter) {
  const Ends ends = run_seeds(100, [] {
    static pthread_barrier_t b;
    pthread_barrier_init(&b, nullptr, 2);
    std::thread([] { pthread_barrier_wait(&b); }).detach();
    pthread_barrier_destroy(&b);
  });
  EXPECT_GT(ends.findings.count(FindingType::destroy_waited), 0u);
}

TEST(Spinlock, Excludes) {
  bool broken = false;
  int busy = 0;
  const Ends ends = run_seeds(200, [&] {
    pthread_spinlock_t s;
    pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE);
    bool inside = false;
    const auto work = [&] {
      if (pthread_spin_trylock(&s) == EBUSY) {
        ++busy;
        pthread_spin_lock(&s);
      }
      broken = broken || inside;
      inside = true;
      std::this_thread::yield();
      inside = false;
      pthread_spin_unlock(&s);
    };
    std::thread a(work), b(work);
    a.join();
    b.join();
    pthread_spin_destroy(&s);
  });
  EXPECT_EQ(ends.finished, 200);
  EXPECT_FALSE(broken);
  EXPECT_GT(busy, 0);
  EXPECT_TRUE(ends.findings.empty());
}

TEST(Spinlock, Misuse) {
  const auto with_lock = [](void (*what)(pthread_spinlock_t*)) {
    return run_seed(1, [what] {
      pthread_spinlock_t s;
      pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE);
      what(&s);
    });
  };
  const Result twice = with_lock([](pthread_spinlock_t* s) {
    pthread_spin_lock(s);
    pthread_spin_lock(s);
  });
  EXPECT_TRUE(twice.stuck());
  EXPECT_TRUE(twice.found(FindingType::double_lock));
  EXPECT_TRUE(with_lock([](pthread_spinlock_t* s) { pthread_spin_unlock(s); }).found(FindingType::unlock_not_locked));
  EXPECT_TRUE(with_lock([](pthread_spinlock_t* s) {
                pthread_spin_lock(s);
                pthread_spin_destroy(s);
              }).found(FindingType::destroy_held));
}

}  // namespace
}  // namespace heddle::test
