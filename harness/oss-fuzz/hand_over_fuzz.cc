// The target of this project: a queue between two producers and two consumers, which has no bug that is known.
//
// It is to be so in a project of yours, too: OSS-Fuzz takes a target that fails in its first four executions for a broken build.
#include <heddle/heddle.h>

#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace {

class HandOver {
 public:
  explicit HandOver(size_t capacity) : capacity_(capacity) {}

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
  const size_t capacity_;
  std::mutex mutex_;
  std::condition_variable not_full_, not_empty_;
  std::deque<int> items_;
};

}  // namespace

HEDDLE_FUZZ_TEST(hand_over) {
  HandOver queue(1);
  int sum = 0;
  std::mutex mutex;
  std::vector<std::thread> threads;
  for (int i = 1; i <= 2; ++i) {
    threads.emplace_back([&, i] { queue.push(i); });
    threads.emplace_back([&] {
      const int value = queue.pop();
      std::lock_guard lock(mutex);
      sum += value;
    });
  }
  for (std::thread& t : threads) t.join();
  if (sum != 3) std::abort();
}
