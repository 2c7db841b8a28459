// heddle: expect=assertion budget=1000
// wait_for without a look at how it ended.
#include <heddle/heddle.h>

#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(timeout_ignored) {
  std::mutex m;
  std::condition_variable ready;
  bool done = false;
  std::thread worker([&] {
    std::this_thread::yield();
    std::lock_guard lock(m);
    done = true;
    ready.notify_one();
  });
  {
    std::unique_lock lock(m);
    const bool in_time = ready.wait_for(lock, std::chrono::seconds(5), [&] { return done; });
#ifdef FIXED
    assert(done || !in_time);
#else
    (void)in_time;
    assert(done);
#endif
  }
  worker.join();
}
