// heddle: expect=assertion budget=300
// Load, add, store: each is atomic, the three together are not.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

HEDDLE_FUZZ_TEST(lost_update) {
  std::atomic<int> n{0};
  auto add = [&] {
#ifdef FIXED
    n.fetch_add(1);
#else
    n.store(n.load() + 1);
#endif
  };
  std::thread one(add), two(add);
  one.join();
  two.join();
  assert(n == 2);
}
