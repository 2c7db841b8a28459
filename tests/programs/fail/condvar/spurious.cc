// heddle: expect=assertion budget=1000
// A wait without a loop: only a spurious wake-up, which the standard allows, breaks it.
#include <heddle/heddle.h>

#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(spurious) {
  std::mutex m;
  std::condition_variable ready;
  int value = 0;
  std::thread worker([&] {
    std::lock_guard lock(m);
    value = 42;
    ready.notify_one();
  });
  {
    std::unique_lock lock(m);
#ifdef FIXED
    while (value == 0) ready.wait(lock);
#else
    if (value == 0) ready.wait(lock);
#endif
    assert(value == 42);
  }
  worker.join();
}
