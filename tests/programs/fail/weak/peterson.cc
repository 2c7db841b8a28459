// heddle: expect=data_race options=memory=rc11:report_races=1 budget=20000
// Peterson's lock with release and acquire: both threads can miss that the other one wants to enter. (FIXED: seq_cst.)
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

#ifdef FIXED
constexpr auto kStore = std::memory_order_seq_cst, kLoad = std::memory_order_seq_cst;
#else
constexpr auto kStore = std::memory_order_release, kLoad = std::memory_order_acquire;
#endif

std::atomic<int> wants[2], turn;
int count;

void add(int me) {
  for (int round = 0; round < 2; ++round) {
    wants[me].store(1, kStore);
    turn.store(1 - me, kStore);
    while (wants[1 - me].load(kLoad) != 0 && turn.load(kLoad) == 1 - me) std::this_thread::yield();
    ++count;
    wants[me].store(0, std::memory_order_release);
  }
}

HEDDLE_FUZZ_TEST(peterson) {
  wants[0] = wants[1] = turn = 0;
  count = 0;
  std::thread one(add, 0), other(add, 1);
  one.join();
  other.join();
  assert(count == 4);
}
