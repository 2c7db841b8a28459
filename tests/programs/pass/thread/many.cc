// heddle: expect=pass runs=100
// A hundred threads at a time, three times, some of them started by others.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

HEDDLE_FUZZ_TEST(many) {
  std::atomic<int> n{0};
  for (int round = 0; round < 3; ++round) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 50; ++i) {
      threads.emplace_back([&] {
        std::thread child([&] { ++n; });
        ++n;
        child.join();
      });
    }
    for (auto& t : threads) t.join();
  }
  assert(n == 300);
}
