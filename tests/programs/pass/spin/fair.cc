// heddle: expect=pass runs=300
// Three threads pass a turn around by spinning, fifty times: a spinning thread must not starve the one whose turn it is.
#include <heddle/heddle.h>

#include <atomic>
#include <thread>

HEDDLE_FUZZ_TEST(fair) {
  std::atomic<int> turn{0};
  auto run = [&](int me) {
    for (int i = 0; i < 50; ++i) {
      while (turn % 3 != me) {
      }
      ++turn;
    }
  };
  std::thread one(run, 1), two(run, 2);
  run(0);
  one.join();
  two.join();
}
