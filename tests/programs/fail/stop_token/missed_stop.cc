// heddle: expect=deadlock|blocked_threads|lost_wakeup budget=10000
// A jthread waits on a condition variable for work. A request to stop wakes it only if the wait uses the token.
#include <heddle/heddle.h>

#include <condition_variable>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(missed_stop) {
  std::mutex m;
  std::condition_variable_any changed;
  std::jthread worker([&](std::stop_token stop) {
    std::unique_lock lock(m);
#ifdef FIXED
    changed.wait(lock, stop, [] { return false; });
#else
    if (!stop.stop_requested()) changed.wait(lock);
#endif
  });
  worker.request_stop();
}
