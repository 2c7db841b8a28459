// heddle: expect=assertion budget=2000
// After kubernetes#82550: what is made at first use is made twice.
#include <heddle/csp.h>

#include <cassert>
#include <mutex>

HEDDLE_FUZZ_TEST(lazy_client) {
  static int made;
  [[maybe_unused]] static bool ready;
  [[maybe_unused]] static std::mutex counting;
  [[maybe_unused]] static heddle::once making;
  heddle::wait_group all;
  for (int i = 0; i < 2; ++i) {
    all.go([] {
#ifdef FIXED
      making.call([] { ++made; });
#else
      if (ready) return;
      ready = true;
      const std::lock_guard lock(counting);
      ++made;
#endif
    });
  }
  all.wait();
  assert(made == 1);
}
