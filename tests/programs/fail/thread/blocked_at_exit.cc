// heddle: expect=blocked_threads budget=500
// A detached worker waits for a lock that main, in a hurry, never releases.
#include <heddle/heddle.h>

#include <atomic>
#include <mutex>
#include <thread>

namespace {
std::mutex m;
std::atomic<bool> started;
}  // namespace

HEDDLE_FUZZ_TEST(blocked_at_exit) {
  std::thread([] {
    started = true;
    std::lock_guard lock(m);
  }).detach();
  m.lock();
#ifndef FIXED
  if (started) return;
#endif
  m.unlock();
}
