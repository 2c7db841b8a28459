// A thread that makes plain accesses for long is asked now and then whether another shall go on: seldom if it gets about, often if it stays in place.
#include <gtest/gtest.h>

#include <mutex>
#include <thread>

#include "controlled_run.h"

extern "C" {
void __tsan_read8(void*);
void __tsan_write8(void*);
}

namespace heddle::test {
namespace {

constexpr size_t kAccesses = 120'000;
uint64_t g_words[kAccesses];

struct Shape {
  bool writes;
  size_t places;
};

void go_over(const Shape& shape) {
  for (size_t i = 0; i < kAccesses; ++i) {
    uint64_t* const word = &g_words[i % shape.places];
    shape.writes ? __tsan_write8(word) : __tsan_read8(word);
  }
}

size_t pauses_alone(const Shape& shape) {
  return run_seed(1, [&shape] { go_over(shape); }).count(Kind::spin_pause);
}

// Another thread waits for a lock meanwhile.
size_t pauses_in_company(const Shape& shape) {
  return run_seed(1, [&shape] {
           std::mutex held;
           std::unique_lock lock(held);
           std::thread other([&held] { std::lock_guard wait(held); });
           go_over(shape);
           lock.unlock();
           other.join();
         })
      .count(Kind::spin_pause);
}

class PlainPauses : public testing::TestWithParam<bool> {};

TEST_P(PlainPauses, WhoStaysInPlaceIsAskedOften) {
  // After 4,096 accesses, 8,192 more, and then each 16,384.
  for (const size_t places : {1u, 10u}) {
    EXPECT_NEAR(static_cast<double>(pauses_alone({GetParam(), places})), 8, 1) << places;
    EXPECT_NEAR(static_cast<double>(pauses_in_company({GetParam(), places})), 8, 2) << places;
  }
}

TEST_P(PlainPauses, WhoGetsAboutIsAskedSeldom) {
  // After 4,096, 8,192, 16,384, 32,768.
  EXPECT_NEAR(static_cast<double>(pauses_alone({GetParam(), kAccesses})), 4, 1);
  EXPECT_NEAR(static_cast<double>(pauses_in_company({GetParam(), kAccesses})), 4, 1);
}

INSTANTIATE_TEST_SUITE_P(ReadsAndWrites, PlainPauses, testing::Bool());

}  // namespace
}  // namespace heddle::test
