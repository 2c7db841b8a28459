// heddle: expect=blocked_threads|deadlock budget=500
// A mutex is locked by the thread that starts the work, and unlocked by the worker: but not on every way out.
#include <heddle/csp.h>

HEDDLE_FUZZ_TEST(handed_over) {
  heddle::mutex busy;
  auto stop = heddle::make_chan<void>();
  busy.lock();
  heddle::go([&busy, stop] {
#ifdef FIXED
    heddle::try_select(stop);
#else
    if (heddle::try_select(stop)) return;
#endif
    busy.unlock();
  });
  stop.close();
  busy.lock();
  busy.unlock();
}
