// heddle: expect=pass runs=1000
// The usual stress test: workers count until the main thread, which sleeps, says stop. Time has to pass although they never wait.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

HEDDLE_FUZZ_TEST(busy_until_stopped) {
  std::atomic<bool> stop{false};
  std::atomic<int> counted{0}, done{0};
  auto work = [&] {
    while (!stop) counted++;
    done++;
  };
  std::thread a(work), b(work);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  stop = true;
  a.join();
  b.join();
  assert(done == 2);
}
