// heddle: expect=deadlock|blocked_threads budget=10000
// std::atomic::wait: one notification for two waiters.
#include <heddle/heddle.h>

#include <atomic>
#include <thread>

HEDDLE_FUZZ_TEST(atomic_wait) {
  std::atomic<int> open{0};
  std::thread a([&] { open.wait(0); }), b([&] { open.wait(0); });
  open = 1;
#ifdef FIXED
  open.notify_all();
#else
  open.notify_one();
#endif
  a.join();
  b.join();
}
