// heddle: expect=lost_wakeup budget=500
// A notification that comes before the wait is gone.
#include <heddle/mutex.h>

#include <thread>

HEDDLE_FUZZ_TEST(cond_too_early) {
  heddle::mutex lock;
  heddle::cond changed;
  bool ready = false;
  std::thread setter([&] {
    const std::lock_guard guard(lock);
    ready = true;
    changed.notify_one();
  });
  {
    std::unique_lock guard(lock);
#ifdef FIXED
    while (!ready) changed.wait(guard);
#else
    changed.wait(guard);
#endif
  }
  setter.join();
}
