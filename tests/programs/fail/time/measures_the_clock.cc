// heddle: expect=assertion budget=100 options=timeouts=patient
// A thread reads the clock a hundred times, as programs do that measure how fast it is. That takes no time worth mentioning: main waits meanwhile,
// with a limit that is meant to hold.
// The failing program waits for a later time than the limit. No other thread can run then, so the limit expires.
#include <heddle/heddle.h>

#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using Clock = std::chrono::steady_clock;

HEDDLE_FUZZ_TEST(measures_the_clock) {
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  std::thread measures([&] {
    const Clock::time_point begin = Clock::now();
    Clock::duration shortest = std::chrono::hours(1);
#ifdef FIXED
    for (int i = 0; i < 100; ++i) {
#else
    while (Clock::now() < begin + std::chrono::seconds(2)) {
#endif
      const Clock::time_point before = Clock::now();
      const Clock::duration took = Clock::now() - before;
      if (took < shortest) shortest = took;
    }
#ifdef FIXED
    assert(Clock::now() - begin < std::chrono::seconds(1));  // main's limit is not over, either
#endif
    const std::lock_guard<std::mutex> lock(mutex);
    done = shortest < std::chrono::hours(1) && Clock::now() > begin;
    changed.notify_one();
  });
  std::unique_lock<std::mutex> lock(mutex);
  assert(changed.wait_for(lock, std::chrono::seconds(1), [&] { return done; }));
  lock.unlock();
  measures.join();
}
