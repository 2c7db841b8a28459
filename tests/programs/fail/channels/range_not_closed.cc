// heddle: expect=blocked_threads budget=200
// A range over a channel that is never closed, because each of two producers relies on the other one.
#include <heddle/csp.h>

#include <atomic>

HEDDLE_FUZZ_TEST(range_not_closed) {
  static std::atomic<int> left;
  left = 2;
  const heddle::chan<int> c = heddle::make_chan<int>(1);
  for (int i = 0; i < 2; ++i) {
    heddle::go([c] {
      c.send(1);
#ifdef FIXED
      if (--left == 0) c.close();
#else
      const int others = left - 1;
      left = others;
      if (others == 0) c.close();
#endif
    });
  }
  for ([[maybe_unused]] int v : c) {}
}
