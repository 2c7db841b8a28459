// heddle: expect=blocked_threads|lost_wakeup budget=500
// Shutdown forgets a worker that has not come to its wait yet.
#include <heddle/heddle.h>

#include <condition_variable>
#include <mutex>
#include <thread>

namespace {
std::mutex m;
std::condition_variable wake;
int waiting;
bool stop;
}  // namespace

HEDDLE_FUZZ_TEST(blocked_waiter) {
  std::thread([] {
    std::unique_lock lock(m);
    ++waiting;
    wake.wait(lock, [] { return stop; });
  }).detach();
  std::lock_guard lock(m);
#ifdef FIXED
  stop = true;
#else
  if (waiting > 0) stop = true;
#endif
  wake.notify_all();
}
