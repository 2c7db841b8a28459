// A common bounded queue, with one condition variable for both "not full" and "not empty". With one producer and one consumer
// it works. With more threads, a notify_one can wake a thread that waits for the other condition.
// That thread waits again, the notification is lost, and all threads stay blocked.
//
// A test on real threads hardly ever finds it: it needs a full queue, a waiter of each kind, and the wrong waiter to be woken.
#include <heddle/heddle.h>

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace {

class BoundedQueue {
 public:
  explicit BoundedQueue(size_t capacity) : capacity_(capacity) {}

  void push(int value) {
    std::unique_lock lock(mutex_);
    while (items_.size() == capacity_) changed_.wait(lock);
    items_.push_back(value);
    changed_.notify_one();  // the bug: notify_all, or a condition variable for each condition
  }

  int pop() {
    std::unique_lock lock(mutex_);
    while (items_.empty()) changed_.wait(lock);
    const int value = items_.front();
    items_.erase(items_.begin());
    changed_.notify_one();
    return value;
  }

 private:
  const size_t capacity_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<int> items_;
};

}  // namespace

HEDDLE_FUZZ_TEST(bounded_queue) {
  heddle::PayloadReader in;
  const int items = 2 + static_cast<int>(in.below(2));

  BoundedQueue queue(1);
  const auto produce = [&] { for (int i = 0; i < items; ++i) queue.push(i); };
  const auto consume = [&] { for (int i = 0; i < items; ++i) queue.pop(); };
  std::thread producer1(produce), producer2(produce), consumer1(consume), consumer2(consume);
  producer1.join();
  producer2.join();
  consumer1.join();
  consumer2.join();
}
