#include <errno.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include <mutex>
#include <shared_mutex>
#include <thread>

#include "controlled_run.h"

namespace heddle::test {
namespace {

using rt::FindingType;
using namespace std::chrono_literals;

TEST(Rwlock, ReadersShareAndAWriterIsAlone) {
  int most_readers = 0;
  bool broken = false;
  const Ends ends = run_seeds(300, [&] {
    std::shared_mutex m;
    int readers = 0;
    bool writing = false;
    const auto read = [&] {
      std::shared_lock l(m);
      most_readers = std::max(most_readers, ++readers);
      std::this_thread::yield();
      broken = broken || writing;
      --readers;
    };
    std::thread a(read), b(read), c([&] {
      std::unique_lock l(m);
      writing = true;
      std::this_thread::yield();
      broken = broken || readers != 0;
      writing = false;
    });
    a.join();
    b.join();
    c.join();
  });
  EXPECT_EQ(ends.finished, 300);
  EXPECT_EQ(most_readers, 2);
  EXPECT_FALSE(broken);
}

void read_twice_beside_a_writer(int kind) {
  pthread_rwlockattr_t attributes;
  pthread_rwlockattr_init(&attributes);
  pthread_rwlockattr_setkind_np(&attributes, kind);
  pthread_rwlock_t lock;
  pthread_rwlock_init(&lock, &attributes);
  std::thread writer([&] {
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
  });
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_unlock(&lock);
  writer.join();
  pthread_rwlock_destroy(&lock);
}

// A second read lock while a writer waits: a deadlock with the kind that prefers writers, and only with that one.
TEST(Rwlock, RecursiveReadersDeadlockOnlyBehindPreferredWriters) {
  EXPECT_EQ(run_seeds(300, [] { read_twice_beside_a_writer(PTHREAD_RWLOCK_PREFER_READER_NP); }).finished, 300);
  EXPECT_EQ(run_seeds(300, [] { read_twice_beside_a_writer(PTHREAD_RWLOCK_PREFER_WRITER_NP); }).finished, 300);
  const Ends ends = run_seeds(300, [] { read_twice_beside_a_writer(PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP); });
  EXPECT_GT(ends.stuck, 10);
  EXPECT_GT(ends.finished, 10);
}

TEST(Rwlock, UpgradeDeadlocks) {
  const Result r = run_seed(1, [] {
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_wrlock(&lock);
  });
  EXPECT_TRUE(r.stuck());
  EXPECT_TRUE(r.found(FindingType::double_lock));
}

TEST(Rwlock, WritingTwiceIsAnErrorAndAFinding) {
  int answer = 0;
  const Result r = run_seed(1, [&] {
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    pthread_rwlock_wrlock(&lock);
    answer = pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
  });
  EXPECT_EQ(answer, EDEADLK);
  EXPECT_TRUE(r.finished());
  EXPECT_TRUE(r.found(FindingType::double_lock));
}

TEST(Rwlock, UnlockOfWhatIsNotHeld) {
  const Result free = run_seed(1, [] {
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    pthread_rwlock_unlock(&lock);
  });
  EXPECT_TRUE(free.found(FindingType::unlock_not_locked));
  const Result other = run_seed(1, [] {
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    pthread_rwlock_rdlock(&lock);
    std::thread([&] { pthread_rwlock_unlock(&lock); }).join();
  });
  EXPECT_TRUE(other.found(FindingType::unlock_not_owner));
  const Result right = run_seed(1, [] {
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    for (int i = 0; i < 40; ++i) pthread_rwlock_rdlock(&lock);  // more holds than the model names
    for (int i = 0; i < 40; ++i) pthread_rwlock_unlock(&lock);
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_destroy(&lock);
  });
  EXPECT_TRUE(right.finished());
  EXPECT_TRUE(right.findings.empty());
}

TEST(Rwlock, DestroyHeldAndUseAfterDestroy) {
  const Result held = run_seed(1, [] {
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_destroy(&lock);
  });
  EXPECT_TRUE(held.found(FindingType::destroy_held));
  const Result used = run_seed(1, [] {
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_destroy(&lock);
    pthread_rwlock_rdlock(&lock);
  });
  EXPECT_TRUE(used.found(FindingType::use_after_destroy));
  const Result anew = run_seed(1, [] {
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    pthread_rwlock_destroy(&lock);
    lock = PTHREAD_RWLOCK_INITIALIZER;
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
  });
  EXPECT_TRUE(anew.findings.empty());
}

TEST(Rwlock, TimedAndTriedLocksGoBothWays) {
  int timed[2] = {}, tried[2] = {}, shared[2] = {};
  const Ends ends = run_seeds(300, [&] {
    std::shared_timed_mutex m;
    std::thread a([&] {
      const bool got = m.try_lock_for(5ms);
      ++timed[got];
      if (got) m.unlock();
    });
    std::thread b([&] {
      const bool got = m.try_lock_shared();
      ++shared[got];
      if (got) m.unlock_shared();
    });
    const bool got = m.try_lock();
    ++tried[got];
    if (got) {
      std::this_thread::sleep_for(4ms);
      m.unlock();
    }
    a.join();
    b.join();
  });
  EXPECT_EQ(ends.finished, 300);
  for (const int* outcomes : {timed, tried, shared}) {
    EXPECT_GT(outcomes[0], 0);
    EXPECT_GT(outcomes[1], 0);
  }
}

}  // namespace
}  // namespace heddle::test
