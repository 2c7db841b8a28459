// heddle: expect=lost_wakeup|blocked_threads|deadlock budget=3000
// A hand-made semaphore that notifies only when the count leaves zero: two posts in a row wake one of two waiters.
#include <heddle/heddle.h>

#include <condition_variable>
#include <mutex>
#include <thread>

namespace {
class Semaphore {
 public:
  void post() {
    std::lock_guard lock(m_);
#ifdef FIXED
    ++count_;
    positive_.notify_one();
#else
    if (count_++ == 0) positive_.notify_one();
#endif
  }
  void wait() {
    std::unique_lock lock(m_);
    positive_.wait(lock, [&] { return count_ > 0; });
    --count_;
  }

 private:
  std::mutex m_;
  std::condition_variable positive_;
  int count_ = 0;
};
}  // namespace

HEDDLE_FUZZ_TEST(semaphore) {
  Semaphore s;
  std::thread one([&] { s.wait(); });
  std::thread two([&] { s.wait(); });
  s.post();
  s.post();
  one.join();
  two.join();
}
