// heddle: expect=assertion-failure budget=3000
// The wait can wake up although nobody notified it, and its condition is not checked again.
#include <heddle/heddle.h>

#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(wait_without_loop) {
  std::mutex m;
  std::condition_variable ready;
  bool set = false;
  std::thread setter([&] {
    std::lock_guard lock(m);
    set = true;
    ready.notify_one();
  });
  {
    std::unique_lock lock(m);
#ifdef FIXED
    while (!set) ready.wait(lock);
#else
    if (!set) ready.wait(lock);
#endif
    assert(set);
  }
  setter.join();
}
