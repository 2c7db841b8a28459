// heddle: expect=pass runs=500
// Polling with sleeps, as most programs do it.
#include <heddle/heddle.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(sleep_polling) {
  std::atomic<bool> done{false};
  std::mutex m;
  bool also = false;
  std::thread worker([&] {
    std::this_thread::sleep_for(std::chrono::minutes(10));
    done = true;
    std::this_thread::sleep_for(std::chrono::minutes(10));
    std::lock_guard lock(m);
    also = true;
  });
  while (!done) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  for (;;) {
    std::this_thread::sleep_for(std::chrono::seconds(1));
    std::lock_guard lock(m);
    if (also) break;
  }
  worker.join();
}
