// heddle: expect=assertion budget=1000
// Rung 4: all sleep or wait for a time: the earliest deadline comes. A program that must not fail at its time-out shows it.
#include <heddle/heddle.h>

#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(all_asleep) {
  std::mutex m;
  std::condition_variable never;
  bool slow_done = false;
  std::thread slow([&] {
    std::this_thread::sleep_for(std::chrono::hours(2));
    std::lock_guard lock(m);
    slow_done = true;
  });
  {
    std::unique_lock lock(m);
    never.wait_for(lock, std::chrono::hours(1), [] { return false; });
#ifdef FIXED
    (void)slow_done;
#else
    assert(slow_done);
#endif
  }
  slow.join();
}
