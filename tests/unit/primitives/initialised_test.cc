// Objects that are initialised while other threads already come to them.
#include <gtest/gtest.h>
#include <pthread.h>
#include <semaphore.h>

#include <thread>

#include "controlled_run.h"

namespace heddle::test {
namespace {

using rt::FindingType;

int runs_with(const Ends& ends, FindingType type) {
  const auto found = ends.findings.find(type);
  return found == ends.findings.end() ? 0 : found->second;
}

// The other thread may have arrived at its operation already. If it has not used the object yet, it uses the new one.
TEST(Initialised, BeforeTheFirstUseGoes) {
  int broken = 0;
  const Ends ends = run_seeds(300, [&] {
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    bool inside = false;
    const auto use = [&] {
      pthread_mutex_lock(&m);
      broken += inside;
      inside = true;
      std::this_thread::yield();
      inside = false;
      pthread_mutex_unlock(&m);
    };
    std::thread other(use);
    std::this_thread::yield();
    pthread_mutex_init(&m, nullptr);
    use();
    other.join();
  });
  const int early = runs_with(ends, FindingType::use_before_init);
  EXPECT_LT(early, 300);
  EXPECT_LE(broken, early);
  EXPECT_LE(runs_with(ends, FindingType::unlock_not_owner) + runs_with(ends, FindingType::unlock_not_locked), 2 * early);
}

TEST(Initialised, BeforeTheFirstArrival) {
  const Ends ends = run_seeds(300, [] {
    pthread_barrier_t b;
    pthread_barrier_init(&b, nullptr, 3);
    std::thread other([&] { pthread_barrier_wait(&b); });
    std::this_thread::yield();
    pthread_barrier_init(&b, nullptr, 2);
    pthread_barrier_wait(&b);
    other.join();
  });
  EXPECT_EQ(ends.stuck, runs_with(ends, FindingType::use_before_init));
  EXPECT_GT(ends.finished, 0);
  EXPECT_GT(ends.stuck, 0);
}

// A barrier may be destroyed as soon as a round is complete, though others have not left it.
TEST(Initialised, AgainWhileOthersLeave) {
  const Ends ends = run_seeds(300, [] {
    pthread_barrier_t b;
    pthread_barrier_init(&b, nullptr, 2);
    sem_t again;
    sem_init(&again, 0, 0);
    std::thread other([&] {
      pthread_barrier_wait(&b);
      sem_wait(&again);
      pthread_barrier_wait(&b);
    });
    pthread_barrier_wait(&b);
    pthread_barrier_destroy(&b);
    pthread_barrier_init(&b, nullptr, 2);
    sem_post(&again);
    pthread_barrier_wait(&b);
    other.join();
    pthread_barrier_destroy(&b);
    sem_destroy(&again);
  });
  EXPECT_EQ(ends.finished, 300);
  EXPECT_TRUE(ends.findings.empty());
}

TEST(Initialised, WhileItIsHeldOrWaitedOn) {
  const Ends held = run_seeds(50, [] {
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    sem_t taken, done;
    sem_init(&taken, 0, 0);
    sem_init(&done, 0, 0);
    std::thread holder([&] {
      pthread_mutex_lock(&m);
      sem_post(&taken);
      sem_wait(&done);
    });
    sem_wait(&taken);
    pthread_mutex_init(&m, nullptr);
    sem_post(&done);
    holder.join();
  });
  EXPECT_EQ(runs_with(held, FindingType::use_before_init), 50);
  EXPECT_EQ(held.findings.size(), 1u);
  const Ends own = run_seeds(50, [] {
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&m);
    pthread_mutex_init(&m, nullptr);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
  });
  EXPECT_TRUE(own.findings.empty());
}

TEST(Initialised, NotAtAll) {
  const Ends barrier = run_seeds(3, [] {
    pthread_barrier_t b = {};
    pthread_barrier_wait(&b);
  });
  EXPECT_EQ(runs_with(barrier, FindingType::use_before_init), 3);
#ifdef __x86_64__
  const Ends spinlock = run_seeds(3, [] {
    pthread_spinlock_t s = 0;
    pthread_spin_lock(&s);
    pthread_spin_unlock(&s);
  });
  EXPECT_EQ(runs_with(spinlock, FindingType::use_before_init), 3);
#endif
}

}  // namespace
}  // namespace heddle::test
