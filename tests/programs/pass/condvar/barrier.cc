// heddle: expect=pass runs=1000
// A reusable barrier with a phase number holds three threads together for three rounds.
#include <heddle/heddle.h>

#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(barrier) {
  std::mutex m;
  std::condition_variable turned;
  int arrived = 0, phase = 0, at[3] = {};
  auto meet = [&] {
    std::unique_lock lock(m);
    const int mine = phase;
    if (++arrived == 3) {
      arrived = 0;
      ++phase;
      turned.notify_all();
    } else {
      turned.wait(lock, [&] { return phase != mine; });
    }
  };
  auto run = [&](int me) {
    for (int round = 1; round <= 3; ++round) {
      at[me] = round;
      meet();
      for (int other : at) assert(other == round);
      meet();
    }
  };
  std::thread one(run, 1), two(run, 2);
  run(0);
  one.join();
  two.join();
}
