// heddle: expect=assertion budget=2000
// The library throws for the program, out of a function that may not throw: the stack of the throw is gone when the program ends.
#include <heddle/heddle.h>

#include <atomic>
#include <thread>
#include <vector>

static int item(const std::vector<int>& items, const std::atomic<size_t>& next) { return items.at(next); }

static int take(const std::vector<int>& items, const std::atomic<size_t>& next) noexcept { return item(items, next); }

HEDDLE_FUZZ_TEST(noexcept_at) {
  const std::vector<int> items = {1, 2};
  std::atomic<size_t> next{0};
  std::thread other([&] {
    next = 2;
#ifndef FIXED
    std::this_thread::yield();
#endif
    next = 1;
  });
#ifdef FIXED
  other.join();
#endif
  take(items, next);
#ifndef FIXED
  other.join();
#endif
}
