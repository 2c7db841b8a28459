// heddle: expect=close_of_closed_channel budget=500
// "Has it been closed?" and "close it" are two steps.
#include <heddle/csp.h>

HEDDLE_FUZZ_TEST(close_of_closed) {
  const heddle::chan<int> done = heddle::make_chan<int>();
  static heddle::once closing;
  const auto stop = [done] {
#ifdef FIXED
    closing.call([&] { done.close(); });
#else
    std::optional<int> none;
    if (done.try_receive(none) != heddle::receive_status::closed) done.close();
#endif
  };
  heddle::wait_group all;
  all.go(stop);
  all.go(stop);
  all.wait();
}
