// heddle: expect=assertion budget=10000
// A latch for two workers, and one of them counts down before its work is done.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <latch>
#include <thread>

HEDDLE_FUZZ_TEST(counted_twice) {
  std::latch ready(2);
  std::atomic<int> parts{0};
  std::thread a([&] {
    ++parts;
    ready.count_down();
  });
  std::thread b([&] {
#ifdef FIXED
    ++parts;
    ready.count_down();
#else
    ready.count_down();
    ++parts;
#endif
  });
  ready.wait();
  assert(parts == 2);
  a.join();
  b.join();
}
