// heddle: expect=lost_wakeup|blocked_threads|deadlock budget=3000
// Producers and consumers wait on one condition variable, and notify_one may wake the wrong kind.
#include <heddle/heddle.h>

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace {
class BoundedQueue {
 public:
  void push(int v) {
    std::unique_lock lock(m_);
    changed_.wait(lock, [&] { return items_.size() < 1; });
    items_.push_back(v);
    wake();
  }
  int pop() {
    std::unique_lock lock(m_);
    changed_.wait(lock, [&] { return !items_.empty(); });
    const int v = items_.back();
    items_.pop_back();
    wake();
    return v;
  }

 private:
  void wake() {
#ifdef FIXED
    changed_.notify_all();
#else
    changed_.notify_one();
#endif
  }
  std::mutex m_;
  std::condition_variable changed_;
  std::vector<int> items_;
};
}  // namespace

HEDDLE_FUZZ_TEST(bounded_queue) {
  BoundedQueue queue;
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&] { queue.push(1); queue.push(2); });
    threads.emplace_back([&] { queue.pop(); queue.pop(); });
  }
  for (auto& t : threads) t.join();
}
