// heddle: expect=assertion budget=3000
// Rung 2: time goes on for the sleeping thread that the schedule waits for. The write comes in the midst of the loop only if a
// thread that sleeps for an hour overtakes one that is busy.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

HEDDLE_FUZZ_TEST(sleeper_in_time) {
  std::atomic<int> value{0};
  std::thread sleeper([&] {
    std::this_thread::sleep_for(std::chrono::hours(1));
    value = 7;
  });
#ifdef FIXED
  sleeper.join();
#endif
  const int first = value;
  for (int i = 0; i < 3; ++i) assert(value == first);
  if (sleeper.joinable()) sleeper.join();
}
