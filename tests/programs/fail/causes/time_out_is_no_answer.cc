// heddle: expect=assertion-failure budget=3000
// The wait can end because its time is over, and the answer is then not there.
#include <heddle/heddle.h>

#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(time_out_is_no_answer) {
  std::mutex m;
  std::condition_variable ready;
  int answer = 0;
  std::thread other([&] {
    std::lock_guard lock(m);
    answer = 42;
    ready.notify_one();
  });
  {
    std::unique_lock lock(m);
#ifdef FIXED
    while (answer == 0) ready.wait(lock);
#else
    ready.wait_for(lock, std::chrono::seconds(5), [&] { return answer != 0; });
#endif
    assert(answer == 42);
  }
  other.join();
}
