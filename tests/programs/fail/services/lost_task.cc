// heddle: expect=assertion budget=3000
// A thread pool accepts a task after its workers have ended: stop() comes between the check and the push.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

class ThreadPool {
 public:
  explicit ThreadPool(unsigned n) {
    for (unsigned i = 0; i < n; ++i) workers_.emplace_back([this] { work(); });
  }
  ~ThreadPool() { stop(); }

  bool submit(std::function<void()> task) {
#ifndef FIXED
    if (stopping_) return false;
#endif
    {
      std::lock_guard lock(mutex_);
#ifdef FIXED
      if (stopping_) return false;
#endif
      tasks_.push(std::move(task));
    }
    ready_.notify_one();
    return true;
  }
  void stop() {
    {
      std::lock_guard lock(mutex_);
      if (stopping_) return;
      stopping_ = true;
    }
    ready_.notify_all();
    for (auto& w : workers_) w.join();
  }

 private:
  void work() {
    for (;;) {
      std::function<void()> task;
      {
        std::unique_lock lock(mutex_);
        ready_.wait(lock, [this] { return stopping_ || !tasks_.empty(); });
        if (tasks_.empty()) return;
        task = std::move(tasks_.front());
        tasks_.pop();
      }
      task();
    }
  }

  std::mutex mutex_;
  std::condition_variable ready_;
  std::queue<std::function<void()>> tasks_;
  std::atomic<bool> stopping_{false};
  std::vector<std::thread> workers_;
};

HEDDLE_FUZZ_TEST(lost_task) {
  std::atomic<int> accepted{0}, done{0};
  ThreadPool pool(1);
  std::thread client([&] {
    for (int i = 0; i < 2; ++i) {
      if (pool.submit([&] { ++done; })) ++accepted;
    }
  });
  pool.stop();
  client.join();
  assert(done == accepted);
}
