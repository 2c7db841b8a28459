// heddle: expect=negative_wait_group budget=500
// After kubernetes#13058: an object's removal can be seen before its addition was counted.
#include <heddle/csp.h>

HEDDLE_FUZZ_TEST(done_before_add) {
  static heddle::wait_group records;
  const heddle::chan<int> removed = heddle::make_chan<int>(1);
  heddle::wait_group all;
  all.go([=] {
    heddle::select(heddle::on_receive(removed, [](auto) { records.done(); }));
  });
#ifdef FIXED
  records.add(1);
  removed.send(1);
#else
  removed.send(1);
  records.add(1);
#endif
  all.wait();
  records.wait();
}
