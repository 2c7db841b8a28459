// heddle: expect=unlock_not_locked budget=100
// Go cannot recover from a wrong unlock, and expecting a panic hides none.
#include <heddle/csp.h>

HEDDLE_FUZZ_TEST(panic_is_no_fatal_error) {
  heddle::mutex lock;
  auto c = heddle::make_chan<void>();
  lock.lock();
  heddle::recover([&] {
    c.close();
    lock.unlock();
    c.close();
#ifndef FIXED
    lock.unlock();
#endif
  });
#ifndef FIXED
  lock.unlock();
#endif
}
