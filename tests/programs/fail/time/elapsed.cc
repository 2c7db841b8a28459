// heddle: expect=assertion budget=2000
// A request is taken for late by the clock while its answer is on the way.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

HEDDLE_FUZZ_TEST(elapsed) {
  using Clock = std::chrono::steady_clock;
  std::atomic<int> state{0};  // 1: answered, 2: given up
  const auto deadline = Clock::now() + std::chrono::milliseconds(100);
  std::thread server([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(99));
#ifdef FIXED
    int pending = 0;
    state.compare_exchange_strong(pending, 1);
#else
    assert(state == 0);
    state = 1;
#endif
  });
  while (state == 0 && Clock::now() < deadline) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  int pending = 0;
  state.compare_exchange_strong(pending, 2);
  server.join();
}
