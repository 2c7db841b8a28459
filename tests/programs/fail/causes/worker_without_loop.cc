// heddle: expect=assertion-failure budget=3000
// The worker's wait can wake up although nobody notified it. Then the worker uses its input too early, and main finds a wrong result.
#include <heddle/heddle.h>

#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(worker_without_loop) {
  std::mutex m;
  std::condition_variable ready;
  bool set = false;
  int input = 0, result = 0;
  std::thread worker([&] {
    std::unique_lock lock(m);
#ifdef FIXED
    while (!set) ready.wait(lock);
#else
    if (!set) ready.wait(lock);
#endif
    result = input + 1;
  });
  {
    std::lock_guard lock(m);
    input = 41;
    set = true;
    ready.notify_one();
  }
  worker.join();
  assert(result == 42);
}
