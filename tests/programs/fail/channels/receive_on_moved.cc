// heddle: expect=blocked_threads budget=200
// A moved-from handle is nil: a receive on it never returns.
#include <heddle/csp.h>

#include <utility>

HEDDLE_FUZZ_TEST(receive_on_moved) {
  heddle::chan<int> c = heddle::make_chan<int>();
#ifdef FIXED
  heddle::go([c] { c.send(1); });
#else
  heddle::go([c = std::move(c)] { c.send(1); });
#endif
  c.receive();
}
