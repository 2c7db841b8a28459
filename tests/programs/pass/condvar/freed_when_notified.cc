// heddle: expect=pass runs=2000 asan
// A condition variable may be destroyed, and its memory freed, as soon as all its waiters are notified. A waiter may still be about to leave.
#include <heddle/heddle.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(freed_when_notified) {
  std::mutex m;
  auto changed = std::make_unique<std::condition_variable>();
  bool waits = false, woken = false;
  std::thread waiter([&] {
    std::unique_lock lock(m);
    waits = true;
    if (!woken) changed->wait(lock);
  });
  for (;;) {
    std::unique_lock lock(m);
    if (!waits) {
      lock.unlock();
      std::this_thread::yield();
      continue;
    }
    woken = true;
    changed->notify_all();
    changed.reset();
    break;
  }
  waiter.join();
}
