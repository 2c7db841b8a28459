// heddle: expect=livelock budget=2000
// Main polls for a result. If the worker sees `cancelled` first, there will be none. A service goes on beside it.
#include <heddle/heddle.h>

#include <atomic>
#include <chrono>
#include <thread>

HEDDLE_FUZZ_TEST(polls_beside_heartbeat) {
  using namespace std::chrono_literals;
  std::atomic<bool> cancelled{false}, done{false}, stop{false};
  std::atomic<int> beats{0};
  std::thread heartbeat([&] {
    while (!stop) {
      ++beats;
      std::this_thread::sleep_for(10ms);
    }
  });
  std::thread worker([&] {
#ifdef FIXED
    done = true;
#else
    if (!cancelled) done = true;
#endif
  });
  cancelled = true;
  while (!done) std::this_thread::sleep_for(5ms);
  worker.join();
  stop = true;
  heartbeat.join();
}
