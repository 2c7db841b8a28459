// heddle: expect=pass runs=300
// Clocks never go back; a sleep takes at least as long as it was asked to, an absolute one ends at its time.
#include <heddle/heddle.h>

#include <cassert>
#include <chrono>
#include <thread>

HEDDLE_FUZZ_TEST(monotonic) {
  using Clock = std::chrono::steady_clock;
  using std::chrono::hours;
  auto sleeper = [](int n) {
    const auto before = Clock::now();
    std::this_thread::sleep_for(hours(n));
    const auto between = Clock::now();
    assert(between - before >= hours(n));
    std::this_thread::sleep_until(between + hours(1));
    assert(Clock::now() >= between + hours(1));
  };
  std::thread one(sleeper, 1), two(sleeper, 24), three(sleeper, 0);
  one.join();
  two.join();
  three.join();
}
