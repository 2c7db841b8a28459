// heddle: expect=data_race budget=200 options=report_races=1
// A live atomic is reset by constructing a new one at the same address.
#include <heddle/heddle.h>

#include <atomic>
#include <new>
#include <thread>

HEDDLE_FUZZ_TEST(made_anew) {
  auto* turn = new std::atomic<int>(1);
  std::thread other([&] {
    int expected = 7;
    turn->compare_exchange_strong(expected, 8);  // fails: a read
  });
#ifdef FIXED
  turn->store(0);
#else
  new (turn) std::atomic<int>(0);
#endif
  other.join();
  delete turn;
}
