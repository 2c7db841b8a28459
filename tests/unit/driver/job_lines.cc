// A pool whose jobs take two locks in opposite orders. The lines that the report must name are marked.
#include <heddle/heddle.h>

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

class Pool {
 public:
  Pool() {
    for (int i = 0; i < 2; ++i) threads_.emplace_back(&Pool::work, this);
  }
  ~Pool() {
    {
      std::lock_guard guard(mutex_);
      stop_ = true;
    }
    condition_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  void post(std::function<void()> job) {
    {
      std::lock_guard guard(mutex_);
      jobs_.push_back(std::move(job));
    }
    condition_.notify_one();
  }

 private:
  void work() {
    for (;;) {
      std::function<void()> job;
      {
        std::unique_lock lock(mutex_);
        condition_.wait(lock, [this] { return stop_ || !jobs_.empty(); });
        if (jobs_.empty()) return;
        job = std::move(jobs_.front());
        jobs_.pop_front();
      }
      job();
    }
  }

  std::mutex mutex_;
  std::condition_variable condition_;
  std::deque<std::function<void()>> jobs_;
  bool stop_ = false;
  std::vector<std::thread> threads_;
};

HEDDLE_FUZZ_TEST(job_lines) {
  std::mutex a, b;
  Pool pool;
  pool.post([&] {
    std::lock_guard first(a);   // held
    std::lock_guard second(b);  // wanted
  });
  pool.post([&] {
    std::lock_guard first(b);   // held
    std::lock_guard second(a);  // wanted
  });
}
