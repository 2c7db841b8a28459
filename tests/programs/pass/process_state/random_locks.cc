// heddle: expect=pass runs=500
// Random numbers choose the lock. They start again in each execution, so a schedule is the same run each time (tests/determinism).
#include <heddle/heddle.h>

#include <cstdlib>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(random_locks) {
  std::mutex mutexes[4];
  const auto lock = [&] {
    for (int i = 0; i < 4; ++i) {
      const std::lock_guard first(mutexes[rand() >> 8 & 1]);
      const std::lock_guard second(mutexes[drand48() < 0.5 ? 2 : 3]);
    }
  };
  std::thread one(lock), other(lock);
  lock();
  one.join();
  other.join();
}
