// heddle: expect=assertion budget=10000
// Each puts down its part, then they meet, then they look: one looks before they have met.
#include <heddle/heddle.h>

#include <atomic>
#include <barrier>
#include <cassert>
#include <thread>

HEDDLE_FUZZ_TEST(before_the_barrier) {
  std::barrier meeting(2);
  std::atomic<int> parts[2] = {};
  const auto work = [&](int me) {
    parts[me] = 1;
#ifdef FIXED
    meeting.arrive_and_wait();
    assert(parts[1 - me] == 1);
#else
    const int other = parts[1 - me];
    meeting.arrive_and_wait();
    assert(other == 1 || me == 0);
#endif
  };
  std::thread other(work, 1);
  work(0);
  other.join();
}
