// heddle: expect=use_after_destroy|stack-use-after-return budget=1000
// The waiter sees that the work is done before the other thread has notified, and destroys the condition variable that it is about to notify.
#include <heddle/heddle.h>

#include <condition_variable>
#include <mutex>
#include <thread>

namespace {
struct Done {
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;

  void set() {
    std::unique_lock lock(mutex);
    done = true;
#ifndef FIXED
    lock.unlock();
#endif
    changed.notify_one();
  }
  void wait() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return done; });
  }
};
}  // namespace

HEDDLE_FUZZ_TEST(late_notify) {
  std::thread worker;
  {
    Done done;
    worker = std::thread([&done] { done.set(); });
    done.wait();
  }
  worker.join();
}
