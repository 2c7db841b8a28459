// heddle: expect=assertion budget=2000
// One of 25 setters races one checker; every access to the two variables is made.
#include <heddle/heddle.h>

#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

namespace {
volatile int a, b;
[[maybe_unused]] std::mutex m;
}  // namespace

HEDDLE_FUZZ_TEST(setters_volatile_25) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 25; ++i) {
    threads.emplace_back([] {
#ifdef FIXED
      std::lock_guard lock(m);
#endif
      a = 1;
      b = -1;
    });
  }
  threads.emplace_back([] {
#ifdef FIXED
    std::lock_guard lock(m);
#endif
    const bool none = a == 0 && b == 0, both = a == 1 && b == -1;
    assert(none || both);
  });
  for (auto& t : threads) t.join();
}
