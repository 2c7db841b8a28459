// heddle: expect=pass runs=1000
// An atomic flag in a tight loop.
#include <heddle/heddle.h>

#include <atomic>
#include <thread>

HEDDLE_FUZZ_TEST(flag) {
  std::atomic<bool> go{false};
  std::thread one([&] { while (!go) {} });
  std::thread two([&] { while (!go.load(std::memory_order_relaxed)) std::this_thread::yield(); });
  go = true;
  one.join();
  two.join();
}
