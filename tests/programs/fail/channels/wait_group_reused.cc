// heddle: expect=assertion|blocked_threads|deadlock|negative_wait_group|wait_group_misuse budget=2000
// A group is used for the second round while one who waits for the first has not come out yet... and what it waited for is gone.
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
