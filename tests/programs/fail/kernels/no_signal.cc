// heddle: expect=lost_wakeup|blocked_threads budget=200
// After moby#30408: the thread that should signal leaves early because of an error, and the waiter stays blocked.
#include <heddle/csp.h>

#include <condition_variable>
#include <mutex>

namespace {
struct Plugin {
  std::mutex m;
  std::condition_variable activated;
  bool failed = false, over = false;

  void activate() {
    const std::lock_guard lock(m);
    failed = true;
#ifdef FIXED
    over = true;
    activated.notify_all();
#else
    if (failed) return;
    over = true;
    activated.notify_all();
#endif
  }
  void wait() {
    std::unique_lock lock(m);
    activated.wait(lock, [&] { return over; });
  }
};
}  // namespace

HEDDLE_FUZZ_TEST(no_signal) {
  Plugin plugin;
  heddle::wait_group all;
  all.go([&] { plugin.activate(); });
  plugin.wait();
  all.wait();
}
