// heddle: expect=unsupported budget=3 seeds=1
// More threads at once than an execution can have. (FIXED: no more than it can have.)
#include <heddle/heddle.h>

#include <mutex>
#include <thread>
#include <vector>

HEDDLE_FUZZ_TEST(too_many_at_once) {
#ifdef FIXED
  constexpr int kThreads = 1'000;
#else
  constexpr int kThreads = 8'192;
#endif
  std::vector<std::thread> together;
  std::mutex gate;
  gate.lock();
  for (int i = 0; i < kThreads; ++i) together.emplace_back([&] { gate.lock(), gate.unlock(); });
  gate.unlock();
  for (std::thread& t : together) t.join();
}
