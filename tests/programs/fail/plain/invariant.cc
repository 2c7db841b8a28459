// heddle: expect=assertion budget=1000
// a + b is always 10, says the reader, who does not take the lock.
#include <heddle/heddle.h>

#include <cassert>
#include <mutex>
#include <thread>

namespace {
std::mutex m;
volatile int a = 5, b = 5;
}  // namespace

HEDDLE_FUZZ_TEST(invariant) {
  std::thread mover([] {
    for (int i = 0; i < 2; ++i) {
      std::lock_guard lock(m);
      a = a - 1;
      b = b + 1;
    }
  });
  {
#ifdef FIXED
    std::lock_guard lock(m);
#endif
    assert(a + b == 10);
  }
  mover.join();
}
