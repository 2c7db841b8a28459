// SETTERS threads each set a and then b; the checker must never see one without the other.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

HEDDLE_FUZZ_TEST(setters) {
  std::atomic<int> a{0}, b{0};
  [[maybe_unused]] std::mutex m;
  std::vector<std::thread> threads;
  for (int i = 0; i < SETTERS; ++i) {
    threads.emplace_back([&] {
#ifdef FIXED
      std::lock_guard lock(m);
#endif
      a = 1;
      b = -1;
    });
  }
  threads.emplace_back([&] {
#ifdef FIXED
    std::lock_guard lock(m);
#endif
    const int x = a, y = b;
    assert((x == 0 && y == 0) || (x == 1 && y == -1));
  });
  for (auto& t : threads) t.join();
}
