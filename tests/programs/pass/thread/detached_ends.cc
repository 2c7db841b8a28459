// heddle: expect=pass runs=1000
// Detached threads that still run when main returns are not blocked: no finding.
#include <heddle/heddle.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace {
std::atomic<int> ticks;
}

HEDDLE_FUZZ_TEST(detached_ends) {
  std::thread([] {
    for (int i = 0; i < 5; ++i) {
      ++ticks;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }).detach();
  std::thread([] { ++ticks; }).detach();
}
