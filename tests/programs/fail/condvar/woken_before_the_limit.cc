// heddle: expect=assertion budget=2000
// A wait with a time limit that has not timed out is taken for a notification.
#include <heddle/heddle.h>

#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(woken_before_the_limit) {
  std::mutex mutex;
  std::condition_variable answered;
  bool answer = false;
  std::thread server([&] {
    std::lock_guard lock(mutex);
    answer = true;
    answered.notify_one();
  });
  {
    std::unique_lock lock(mutex);
#ifdef FIXED
    if (answered.wait_for(lock, std::chrono::seconds(5), [&] { return answer; })) assert(answer);
#else
    if (answer || answered.wait_for(lock, std::chrono::seconds(5)) == std::cv_status::no_timeout) assert(answer);
#endif
  }
  server.join();
}
