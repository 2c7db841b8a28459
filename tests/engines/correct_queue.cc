// The example's queue without its bug: a condition variable for each condition.
#include <heddle/heddle.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace {

class BoundedQueue {
 public:
  explicit BoundedQueue(size_t capacity) : capacity_(capacity) {}

  void push(int value) {
    std::unique_lock lock(mutex_);
    while (items_.size() == capacity_) not_full_.wait(lock);
    items_.push_back(value);
    not_empty_.notify_one();
  }

  int pop() {
    std::unique_lock lock(mutex_);
    while (items_.empty()) not_empty_.wait(lock);
    const int value = items_.front();
    items_.pop_front();
    not_full_.notify_one();
    return value;
  }

 private:
  std::mutex mutex_;
  std::condition_variable not_full_, not_empty_;
  std::deque<int> items_;
  const size_t capacity_;
};

}  // namespace

HEDDLE_FUZZ_TEST(correct_queue) {
  BoundedQueue queue(1);
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&queue, i] { queue.push(i); });
    threads.emplace_back([&] { queue.pop(); });
  }
  for (std::thread& t : threads) t.join();
}
