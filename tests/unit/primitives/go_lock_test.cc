// Go's locks as the runtime models them. The library on real threads: tests/unit/channels.
#include <gtest/gtest.h>
#include <heddle/csp.h>

#include <set>
#include <thread>
#include <vector>

#include "controlled_run.h"

namespace heddle::test {
namespace {

TEST(GoMutex, BelongsToNoThread) {
  const Ends ends = run_seeds(100, [] {
    mutex lock;
    lock.lock();
    std::thread other([&] { lock.unlock(); });
    lock.lock();
    other.join();
    lock.unlock();
  });
  EXPECT_EQ(ends.finished, 100);
  EXPECT_TRUE(ends.findings.empty());
}

TEST(GoMutex, LockedTwiceWaits) {
  const Result r = run_seed(1, [] {
    mutex lock;
    lock.lock();
    lock.lock();
  });
  EXPECT_TRUE(r.stuck());
  EXPECT_TRUE(r.findings.empty());  // it may be unlocked by another thread, as far as is known here
}

TEST(GoMutex, TriesBothWays) {
  std::set<bool> outcomes;
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    bool locked = false;
    const Result r = run_seed(seed, [&] {
      mutex lock;
      std::thread other([&] {
        lock.lock();
        lock.unlock();
      });
      locked = lock.try_lock();
      if (locked) lock.unlock();
      other.join();
    });
    ASSERT_TRUE(r.finished());
    outcomes.insert(locked);
  }
  EXPECT_EQ(outcomes.size(), 2u);
}

TEST(GoRwMutex, AWaitingWriterStopsAReaderThatComesBack) {
  const Ends ends = run_seeds(200, [] {
    rw_mutex lock;
    std::thread writer([&] {
      lock.lock();
      lock.unlock();
    });
    lock.lock_shared();
    lock.lock_shared();
    lock.unlock_shared();
    lock.unlock_shared();
    writer.join();
  });
  EXPECT_EQ(ends.finished + ends.stuck, 200);
  EXPECT_GT(ends.finished, 10);
  EXPECT_GT(ends.stuck, 10);
}

TEST(GoRwMutex, ReadersThatWaitGetInBeforeTheNextWriter) {
  std::set<std::vector<int>> orders;
  int waited = 0;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    std::vector<int> order;
    const Result r = run_seed(seed, [&] {
      order.clear();
      rw_mutex lock;
      lock.lock();
      std::thread reader([&] {
        lock.lock_shared();
        order.push_back(1);
        lock.unlock_shared();
      });
      std::thread writer([&] {
        lock.lock();
        order.push_back(2);
        lock.unlock();
      });
      lock.unlock();
      reader.join();
      writer.join();
    });
    ASSERT_TRUE(r.finished());
    orders.insert(order);
    // A reader that waited when the first writer unlocked was in before the second one.
    const Event* read = r.event(Kind::rwlock_rdlock, 1);
    const Event* unlock = r.event(Kind::rwlock_unlock, 0);
    ASSERT_TRUE(read != nullptr && unlock != nullptr);
    if ((read->flags & kEventContended) == 0 || &r.events[read->partner] != unlock) continue;
    ++waited;
    EXPECT_EQ(order.front(), 1);
  }
  EXPECT_EQ(orders.size(), 2u);
  EXPECT_GT(waited, 10);
}

TEST(GoRwMutex, KeepsWritersAlone) {
  bool wrong = false;
  const Ends ends = run_seeds(200, [&] {
    rw_mutex lock;
    int writers = 0, readers = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 2; ++t) {
      threads.emplace_back([&] {
        lock.lock();
        wrong |= ++writers != 1 || readers != 0;
        std::this_thread::yield();
        --writers;
        lock.unlock();
      });
      threads.emplace_back([&] {
        if (!lock.try_lock_shared()) lock.lock_shared();
        ++readers;
        wrong |= writers != 0;
        std::this_thread::yield();
        --readers;
        lock.unlock_shared();
      });
    }
    for (std::thread& t : threads) t.join();
  });
  EXPECT_FALSE(wrong);
  EXPECT_EQ(ends.finished, 200);
  EXPECT_TRUE(ends.findings.empty());
}

TEST(GoRwMutex, CountsMoreReadersThanItNames) {
  const Result r = run_seed(1, [] {
    rw_mutex lock;
    for (int i = 0; i < 20; ++i) lock.lock_shared();
    std::thread other([&] {
      for (int i = 0; i < 20; ++i) lock.unlock_shared();
    });
    other.join();
    lock.lock();
    lock.unlock();
  });
  EXPECT_TRUE(r.finished());
  EXPECT_TRUE(r.findings.empty());
}

TEST(GoCond, ANotificationCountsFromTheBeginningOfTheWait) {
  const Ends ends = run_seeds(200, [] {
    mutex lock;
    cond changed;
    bool ready = false;
    std::thread other([&] {
      lock.lock();
      ready = true;
      lock.unlock();
      changed.notify_one();
    });
    lock.lock();
    while (!ready) changed.wait(lock);
    lock.unlock();
    other.join();
  });
  EXPECT_EQ(ends.finished, 200);
}

TEST(GoCond, WakesAnyOfThoseThatWait) {
  std::set<int> woken;
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    int first = -1;
    const Result r = run_seed(seed, [&] {
      first = -1;
      mutex lock;
      cond changed;
      int waiting = 0;
      const auto wait = [&](int self) {
        lock.lock();
        ++waiting;
        changed.wait(lock);
        if (first < 0) first = self;
        lock.unlock();
      };
      std::thread a(wait, 0), b(wait, 1);
      for (bool both = false; !both; std::this_thread::yield()) {
        lock.lock();
        both = waiting == 2;
        lock.unlock();
      }
      changed.notify_one();
      changed.notify_all();
      a.join();
      b.join();
    });
    ASSERT_TRUE(r.finished());
    woken.insert(first);
  }
  EXPECT_EQ(woken.size(), 2u);
}

}  // namespace
}  // namespace heddle::test
