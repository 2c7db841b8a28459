// SETTERS threads write a and then b, and a checker reads them in between.
#include <heddle/heddle.h>

#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

namespace {
volatile int a, b;
[[maybe_unused]] std::mutex m;
}  // namespace

HEDDLE_FUZZ_TEST(reorder) {
  std::vector<std::thread> threads;
  for (int i = 0; i < SETTERS; ++i) {
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
    if (!((a == 0 && b == 0) || (a == 1 && b == -1))) __assert_fail("a and b belong together", __FILE__, __LINE__, __func__);
  });
  for (auto& t : threads) t.join();
}
