// heddle: expect=close_of_closed_channel budget=500
// A scope that expects panics is one thread's: the thread that it starts is in none.
#include <heddle/csp.h>

HEDDLE_FUZZ_TEST(panic_other_thread) {
  auto done = heddle::make_chan<void>();
  heddle::wait_group all;
  const auto close = [done] {
#ifdef FIXED
    const heddle::expect_panic here;
#endif
    try {
      done.close();
    } catch (const heddle::channel_error&) {
    }
  };
  const heddle::expect_panic here;
  all.go(close);
  all.go(close);
  all.wait();
}
