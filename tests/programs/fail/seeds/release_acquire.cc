// heddle: expect=assertion budget=200
// The acquiring load reads from the releasing store, and is ordered after it in the recorded run; the two can still be turned round.
#include <heddle/csp.h>

#include <atomic>
#include <cassert>

namespace {
int data;
std::atomic<bool> ready;
}  // namespace

HEDDLE_FUZZ_TEST(release_acquire) {
  heddle::go([] {
    data = 7;
    ready.store(true, std::memory_order_release);
  });
#ifdef FIXED
  while (!ready.load(std::memory_order_acquire)) std::this_thread::yield();
  assert(data == 7);
#else
  assert(ready.load(std::memory_order_acquire) && data == 7);
#endif
}
