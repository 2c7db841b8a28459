// heddle: expect=assertion budget=500
// A thread that finds no leader becomes the leader.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

HEDDLE_FUZZ_TEST(election) {
  std::atomic<int> leader{0}, leaders{0};
  auto stand = [&](int me) {
#ifdef FIXED
    int nobody = 0;
    if (leader.compare_exchange_strong(nobody, me)) ++leaders;
#else
    if (leader == 0) {
      leader = me;
      ++leaders;
    }
#endif
  };
  std::thread one(stand, 1), two(stand, 2), three(stand, 3);
  one.join();
  two.join();
  three.join();
  assert(leaders == 1);
}
