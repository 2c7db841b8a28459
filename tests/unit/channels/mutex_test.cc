// Go's locks on real threads.
#include <gtest/gtest.h>
#include <heddle/mutex.h>

#include <atomic>
#include <thread>
#include <vector>

namespace channels_test {
namespace {

using heddle::cond;
using heddle::mutex;
using heddle::rw_mutex;

constinit mutex mutex_at_namespace_scope;
constinit rw_mutex rw_mutex_at_namespace_scope;
constinit cond cond_at_namespace_scope;

TEST(Mutex, KeepsOthersOut) {
  mutex lock;
  int count = 0;
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 5000; ++i) {
        const std::lock_guard guard(lock);
        ++count;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(count, 20000);
  EXPECT_TRUE(lock.try_lock());
  EXPECT_FALSE(lock.try_lock());
  lock.unlock();
  const std::scoped_lock both(lock, mutex_at_namespace_scope);
}

TEST(Mutex, AnotherThreadMayUnlock) {
  mutex lock;
  int value = 0;
  lock.lock();
  std::jthread other([&] {
    value = 1;
    lock.unlock();
  });
  lock.lock();
  EXPECT_EQ(value, 1);
  lock.unlock();
}

TEST(MutexDeathTest, AWrongUnlockIsFatal) {
  EXPECT_DEATH(mutex().unlock(), "unlock of an unlocked mutex");
  EXPECT_DEATH(rw_mutex().unlock(), "unlock of an unlocked rw_mutex");
  EXPECT_DEATH(rw_mutex().unlock_shared(), "unlock_shared of an unlocked rw_mutex");
  EXPECT_DEATH(
      {
        rw_mutex lock;
        lock.lock_shared();
        lock.unlock();
      },
      "unlock of an unlocked rw_mutex");
  EXPECT_DEATH(
      {
        rw_mutex lock;
        lock.lock();
        lock.unlock_shared();
      },
      "unlock_shared of an unlocked rw_mutex");
}

TEST(RwMutex, ReadersShareAndWritersDoNot) {
  rw_mutex lock;
  long a = 0, b = 0;
  std::atomic<int> wrong = 0;
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 3000; ++i) {
        if (i % 4 == t) {
          const std::lock_guard writing(lock);
          ++a;
          ++b;
        } else {
          const std::shared_lock reading(lock);
          wrong += a != b;
        }
      }
    });
  }
  threads.clear();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(a, 3000);
  const std::shared_lock one(lock), two(lock);
  EXPECT_FALSE(lock.try_lock());
  EXPECT_TRUE(rw_mutex_at_namespace_scope.try_lock());
  EXPECT_FALSE(rw_mutex_at_namespace_scope.try_lock_shared());
  rw_mutex_at_namespace_scope.unlock();
}

TEST(RwMutex, AWaitingWriterStopsNewReaders) {
  rw_mutex lock;
  std::atomic<bool> read_after = false;
  int written = 0;
  lock.lock_shared();
  std::jthread writer([&] {
    const std::lock_guard writing(lock);
    written = 1;
  });
  while (lock.try_lock_shared()) {
    lock.unlock_shared();
    std::this_thread::yield();
  }
  std::jthread reader([&] {
    const std::shared_lock reading(lock);
    EXPECT_EQ(written, 1);
    read_after = true;
  });
  EXPECT_FALSE(read_after);
  std::jthread([&] { lock.unlock_shared(); });  // by another thread
}

TEST(Cond, WakesOneOrAll) {
  mutex lock;
  cond changed;
  int tokens = 0, waiting = 0, taken = 0;
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      std::unique_lock guard(lock);
      ++waiting;
      while (tokens == 0) changed.wait(guard);
      --tokens;
      ++taken;
    });
  }
  for (bool all = false; !all;) {
    const std::lock_guard guard(lock);
    all = waiting == 4;
  }
  changed.notify_one();  // nobody finds anything
  for (int i = 0; i < 2; ++i) {
    const std::lock_guard guard(lock);
    ++tokens;
    changed.notify_one();
  }
  {
    const std::lock_guard guard(lock);
    tokens += 2;
  }
  changed.notify_all();
  threads.clear();
  EXPECT_EQ(taken, 4);
  cond_at_namespace_scope.notify_all();
}

TEST(Cond, WaitsWithAReadLock) {
  rw_mutex lock;
  cond changed;
  int value = 0;
  std::jthread reader([&] {
    std::shared_lock reading(lock);
    while (value != 1) changed.wait(reading);
  });
  std::jthread writer([&] {
    lock.lock();
    while (value != 1) changed.wait(lock);
    lock.unlock();
  });
  {
    const std::unique_lock writing(lock);
    value = 1;
  }
  changed.notify_all();
}

}  // namespace
}  // namespace channels_test
