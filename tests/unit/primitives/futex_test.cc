#include <errno.h>
#include <gtest/gtest.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <latch>
#include <semaphore>
#include <thread>

#include "controlled_run.h"

namespace heddle::test {
namespace {

long futex(int* word, int op, int value, const timespec* time = nullptr, int bits = 0) {
  return syscall(SYS_futex, word, op, value, time, nullptr, bits);
}

TEST(Futex, WaitComparesFirst) {
  long result = 0;
  int error = 0;
  const Result r = run_seed(1, [&] {
    int word = 1;
    result = futex(&word, FUTEX_WAIT_PRIVATE, 0);
    error = errno;
  });
  EXPECT_TRUE(r.finished());
  EXPECT_EQ(result, -1);
  EXPECT_EQ(error, EAGAIN);
}

TEST(Futex, AWaitThatNobodyEndsIsADeadlockUnlessItIsSpurious) {
  const Ends ends = run_seeds(500, [] {
    int word = 0;
    futex(&word, FUTEX_WAIT, 0);
  });
  EXPECT_GT(ends.stuck, 400);
  EXPECT_GT(ends.finished, 2);  // spurious wake-ups: rare, but there
}

// What the end of a wait says must not look like news because its beginning says something else.
TEST(Futex, AThreadThatOnlyEverWakesSpuriouslyIsLeftWhenMainHasEnded) {
  size_t longest = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    const Result r = run_seed(seed, [] {
      static int word;
      std::thread([] {
        for (;;) futex(&word, FUTEX_WAIT_PRIVATE, 0);
      }).detach();
    });
    EXPECT_TRUE(r.finished() || r.stuck());
    longest = std::max(longest, r.events.size());
  }
  EXPECT_GT(longest, 7u);  // some do wake
  EXPECT_LT(longest, 1000u);
}

TEST(Futex, AWakeTakesAnyWaiter) {
  int first[2] = {};
  run_seeds(300, [&] {
    static int word;
    word = 0;
    int gone = 0;
    std::thread threads[2];
    for (int i = 0; i < 2; ++i) {
      threads[i] = std::thread([&, i] {
        futex(&word, FUTEX_WAIT_PRIVATE, 0);
        if (gone++ == 0) ++first[i];
      });
    }
    usleep(1000);
    futex(&word, FUTEX_WAKE_PRIVATE, 1);
    usleep(1000);
    word = 1;
    futex(&word, FUTEX_WAKE_PRIVATE, 2);
    for (std::thread& t : threads) t.join();
  });
  EXPECT_GT(first[0], 50);
  EXPECT_GT(first[1], 50);
}

TEST(Futex, BitsetsAndCounts) {
  long missed = -1, hit = -1, zero = 0;
  const Result r = run_seed(3, [&] {
    int word = 0;
    std::thread t([&] { futex(&word, FUTEX_WAIT_BITSET_PRIVATE, 0, nullptr, 2); });
    usleep(1000);
    missed = futex(&word, FUTEX_WAKE_BITSET_PRIVATE, 9, nullptr, 1);
    hit = futex(&word, FUTEX_WAKE_BITSET_PRIVATE, 9, nullptr, 3);
    zero = futex(&word, FUTEX_WAKE_BITSET_PRIVATE, 9, nullptr, 0);
    t.join();
  });
  EXPECT_TRUE(r.finished());
  EXPECT_EQ(missed, 0);
  EXPECT_EQ(hit, 1);
  EXPECT_EQ(zero, -1);  // EINVAL
}

TEST(Futex, TimeLimits) {
  int error = 0;
  const Result r = run_seed(1, [&] {
    int word = 0;
    const timespec hour = {3600, 0};
    futex(&word, FUTEX_WAIT_PRIVATE, 0, &hour);
    error = errno;
  });
  EXPECT_TRUE(r.finished());
  EXPECT_EQ(error, ETIMEDOUT);
}

// A wait learns from the wake that ended it, and from no other.
TEST(Futex, TheEdgeIsTheWakes) {
  int woken = 0;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    const Result r = run_seed(seed, [] {
      int word = 0;
      std::thread t([&] { futex(&word, FUTEX_WAIT_PRIVATE, 0); });
      usleep(1000);
      futex(&word, FUTEX_WAKE_PRIVATE, 1);
      t.join();
    });
    const Event* leave = r.event(Kind::futex_wait, 1, 1);
    if (leave == nullptr || leave->outcome != Outcome::signalled) continue;  // the wake came first, or it was spurious
    ++woken;
    ASSERT_LT(leave->partner, r.events.size());
    EXPECT_EQ(r.events[leave->partner].kind, Kind::futex_wake);
  }
  EXPECT_GT(woken, 20);
}

TEST(Futex, TheLibrarysUsersEnd) {
  bool wrong = false;
  const Ends ends = run_seeds(200, [&] {
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    std::thread a([&] { promise.set_value(7); });
    wrong = wrong || future.get() != 7;
    a.join();
    std::future<int> async = std::async(std::launch::async, [] { return 3; });
    wrong = wrong || async.get() != 3;
    std::latch latch(2);
    std::thread b([&] { latch.arrive_and_wait(); });
    latch.arrive_and_wait();
    b.join();
    std::counting_semaphore<2> semaphore(0);
    std::thread c([&] { semaphore.release(); });
    semaphore.acquire();
    c.join();
  });
  EXPECT_EQ(ends.finished, 200);
  EXPECT_FALSE(wrong);
  EXPECT_EQ(run_seeds(20, [] {
              std::promise<int> never;
              never.get_future().get();
            }).stuck,
            20);
}

// A schedule that lets every wait end without a wake-up: the loop around it spins, and the others go on.
TEST(Futex, WaitsThatAlwaysEndEarlyEnd) {
  const auto body = [] {
    std::atomic<int> word{0};
    int* const plain = reinterpret_cast<int*>(&word);
    std::thread setter([&] {
      word = 1;
      futex(plain, FUTEX_WAKE_PRIVATE, 1);
    });
    while (word.load() == 0) {
      word.fetch_or(0);
      futex(plain, FUTEX_WAIT_PRIVATE, 0);
    }
    setter.join();
  };
  SiteId site = 0;
  for (uint64_t seed = 1; site == 0; ++seed) {
    const Result r = run_seed(seed, body);
    if (const Event* wait = r.event(Kind::futex_wait, 0)) site = wait->site;
  }
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    Schedule s;
    s.seed = seed;
    s.selects.push_back({0, site, 0, 1, Kind::futex_wait, {}});
    const Result r = run(s, body);
    EXPECT_TRUE(r.finished()) << seed;
    EXPECT_LT(r.events.size(), 5000u) << seed;
  }
}

}  // namespace
}  // namespace heddle::test
