// heddle: expect=pass runs=200
// Loops that only read a clock end, and do not take as long as they say.
#include <heddle/heddle.h>

#include <cassert>
#include <chrono>
#include <ctime>
#include <thread>

HEDDLE_FUZZ_TEST(clock_polling) {
  using Clock = std::chrono::steady_clock;
  auto poll = [] {
    const auto end = Clock::now() + std::chrono::seconds(2);
    while (Clock::now() < end) {
    }
  };
  const auto before = Clock::now();
  const time_t wall = time(nullptr);
  std::thread one(poll), two(poll);
  one.join();
  two.join();
  assert(Clock::now() - before >= std::chrono::seconds(2));
  assert(time(nullptr) >= wall + 1);
}
