// heddle: expect=assertion budget=1000
// A home-made once: the flag is set before the work is done.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(home_made) {
  std::atomic<bool> started{false};
  std::atomic<int> value{0};
  [[maybe_unused]] std::once_flag once;
  auto use = [&] {
#ifdef FIXED
    std::call_once(once, [&] { value = 5; });
#else
    if (!started.exchange(true)) value = 5;
#endif
    assert(value == 5);
  };
  std::thread one(use), two(use);
  one.join();
  two.join();
}
