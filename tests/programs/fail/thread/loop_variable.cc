// heddle: expect=assertion budget=1000
// Threads get the address of the loop's variable instead of its value.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

HEDDLE_FUZZ_TEST(loop_variable) {
  std::atomic<int> seen[4] = {};
  std::vector<std::thread> threads;
  std::atomic<int> i{0};
  for (; i < 3; ++i) {
#ifdef FIXED
    threads.emplace_back([&seen, i = i.load()] { ++seen[i]; });
#else
    threads.emplace_back([&] { ++seen[i]; });
#endif
  }
  for (auto& t : threads) t.join();
  for (int k = 0; k < 3; ++k) assert(seen[k] == 1);
}
