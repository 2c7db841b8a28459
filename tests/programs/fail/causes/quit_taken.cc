// heddle: expect=blocked_threads budget=1000
// An event loop inside an event takes the order to quit, and the outer loop never sees it.
#include <heddle/heddle.h>

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

class Loop {
 public:
  void post(std::function<void()> event) {
    std::lock_guard lock(mutex_);
    events_.push_back(std::move(event));
    changed_.notify_one();
  }
  void quit() {
    std::lock_guard lock(mutex_);
    quit_ = true;
    changed_.notify_one();
  }
  void run() {
    for (;;) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return quit_ || !events_.empty(); });
      if (quit_) {
#ifndef FIXED
        quit_ = false;
#endif
        return;
      }
      const auto event = std::move(events_.front());
      events_.pop_front();
      lock.unlock();
      event();
    }
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> events_;
  bool quit_ = false;
};

HEDDLE_FUZZ_TEST(quit_taken) {
  Loop loop;
  std::thread ui([&] { loop.run(); });
  loop.post([&] { loop.run(); });  // a dialog
  loop.quit();
  ui.join();
}
