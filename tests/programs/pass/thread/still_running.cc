// heddle: expect=pass runs=200
// A background thread that polls without end runs and is not blocked: that is no leak and no livelock.
#include <heddle/heddle.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace {
std::atomic<int> requests;
}

HEDDLE_FUZZ_TEST(still_running) {
  std::thread([] {
    for (;;) {
      if (requests.exchange(0) > 2) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }).detach();
  ++requests;
}
