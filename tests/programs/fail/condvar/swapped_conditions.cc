// heddle: expect=blocked_threads budget=2000
// A bounded buffer with two condition variables: take() tells the readers that there is room, and not the writers.
#include <heddle/heddle.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace {
class Buffer {
 public:
  void put(int item) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [&] { return items_.size() < 1; });
    items_.push_back(item);
    filled_.notify_one();
  }
  int take() {
    std::unique_lock lock(mutex_);
    filled_.wait(lock, [&] { return !items_.empty(); });
    const int item = items_.front();
    items_.pop_front();
#ifdef FIXED
    room_.notify_one();
#else
    filled_.notify_one();
#endif
    return item;
  }

 private:
  std::mutex mutex_;
  std::condition_variable filled_, room_;
  std::deque<int> items_;
};
}  // namespace

HEDDLE_FUZZ_TEST(swapped_conditions) {
  Buffer buffer;
  std::thread writer([&] {
    buffer.put(1);
    buffer.put(2);
  });
  std::thread reader([&] {
    buffer.take();
    buffer.take();
  });
  writer.join();
  reader.join();
}
