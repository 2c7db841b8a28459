// heddle: expect=assertion budget=2000
// Each of four threads raises the maximum to its number, unless it is higher already. The first one stores last, over all the others.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

HEDDLE_FUZZ_TEST(overtaken) {
  std::atomic<int> most{0};
  std::vector<std::thread> threads;
  for (int i = 1; i <= 4; ++i) {
    threads.emplace_back([&most, i] {
      int before = most.load();
#ifdef FIXED
      while (before < i && !most.compare_exchange_weak(before, i)) {
      }
#else
      if (before < i) most.store(i);
#endif
    });
  }
  for (std::thread& t : threads) t.join();
  assert(most.load() != 1);
}
