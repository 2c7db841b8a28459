// What an event says that it has left in memory (Event::left): the value of a store, and what the section of a lock has written.
#include <gtest/gtest.h>

#include <mutex>
#include <thread>

#include "controlled_run.h"

extern "C" {
void __tsan_write4(void*);
void __tsan_write8(void*);
void __tsan_atomic32_store(volatile int*, int, int);
int __tsan_atomic32_fetch_add(volatile int*, int, int);
int __tsan_atomic32_compare_exchange_val(volatile int*, int, int, int, int);
}

namespace heddle::test {
namespace {

TEST(EventLeft, OfAStoreIsItsValue) {
  const Result r = run_seed(1, [] {
    int x = 0;
    std::thread other([&] {
      __tsan_atomic32_store(&x, 5, __ATOMIC_SEQ_CST);
      __tsan_atomic32_store(&x, 7, __ATOMIC_SEQ_CST);
      __tsan_atomic32_store(&x, 3, __ATOMIC_SEQ_CST);
      __tsan_atomic32_fetch_add(&x, 2, __ATOMIC_SEQ_CST);
      __tsan_atomic32_compare_exchange_val(&x, 1, 7, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
      __tsan_atomic32_compare_exchange_val(&x, 5, 7, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    });
    other.join();
  });
  const uint32_t five = r.event(Kind::atomic_store, 1, 0)->left, seven = r.event(Kind::atomic_store, 1, 1)->left;
  EXPECT_NE(five, 0u);
  EXPECT_NE(seven, 0u);
  EXPECT_NE(five, seven);
  EXPECT_EQ(r.event(Kind::atomic_rmw, 1)->left, five);
  EXPECT_EQ(r.event(Kind::atomic_cas, 1, 0)->left, 0u) << "it failed";
  EXPECT_EQ(r.event(Kind::atomic_cas, 1, 1)->left, seven);
}

TEST(EventLeft, OfAnUnlockIsWhatTheSectionHasWritten) {
  static uint32_t number;
  static uint64_t address;
  const Result r = run_seed(1, [] {
    std::mutex mutex;
    const auto section = [&](uint32_t value) {
      std::lock_guard lock(mutex);
      __tsan_write4(&number);
      number = value;
    };
    std::thread other([&] {
      section(5);
      section(7);
      { std::lock_guard lock(mutex); }
      {
        std::lock_guard lock(mutex);
        __tsan_write8(&address);
        address = uint64_t{1} << 40;
      }
    });
    other.join();
    std::thread third([&] { section(5); });
    third.join();
  });
  const auto left = [&](uint32_t thread, int n) { return r.event(Kind::mutex_unlock, thread, n)->left; };
  EXPECT_NE(left(1, 0), 0u);
  EXPECT_NE(left(1, 1), 0u);
  EXPECT_NE(left(1, 0), left(1, 1));
  EXPECT_EQ(left(1, 2), 0u) << "it wrote nothing";
  EXPECT_EQ(left(1, 3), 0u) << "an address may differ between processes";
  EXPECT_EQ(left(2, 0), left(1, 0)) << "who has written it does not count";
}

}  // namespace
}  // namespace heddle::test
