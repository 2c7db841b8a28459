// heddle: expect=assertion budget=500
// Two producers: each one's values come in order, but not those of the two.
#include <heddle/csp.h>

#include <cassert>

HEDDLE_FUZZ_TEST(value_order) {
  const heddle::chan<int> c = heddle::make_chan<int>(4);
  heddle::wait_group all;
  all.go([c] { c.send(1), c.send(2); });
  all.go([c] { c.send(11), c.send(12); });
  all.wait();
  c.close();
  int last = 0, last_high = 10;
  for (int v : c) {
#ifdef FIXED
    int& before = v > 10 ? last_high : last;
#else
    int& before = last;
    (void)last_high;
#endif
    assert(v > before);
    before = v;
  }
}
