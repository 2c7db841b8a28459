// heddle: expect=assertion|blocked_threads|deadlock|negative_wait_group budget=2000
// A group is used for the second round while a thread that waits for the first round has not returned yet. So its count is no longer zero.
#include <heddle/csp.h>

#include <cassert>

HEDDLE_FUZZ_TEST(wait_group_reused) {
  heddle::wait_group round, readers;
  std::atomic<int> value{0};
  round.add(1);
  readers.go([&] {
    round.wait();
    assert(value == 1);
  });
  value = 1;
  round.done();
#ifdef FIXED
  readers.wait();
#endif
  round.add(1);
  value = 2;
  round.done();
  readers.wait();
}
