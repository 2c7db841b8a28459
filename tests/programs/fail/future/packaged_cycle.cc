// heddle: expect=deadlock|blocked_threads budget=10000
// Two tasks on two futures. Each may wait for the result of the other, which then waits, too.
#include <heddle/heddle.h>

#include <atomic>
#include <future>
#include <thread>

HEDDLE_FUZZ_TEST(packaged_cycle) {
  std::promise<int> left, right;
  std::shared_future<int> of_left = left.get_future().share(), of_right = right.get_future().share();
#ifndef FIXED
  std::atomic<int> turn{0};
#endif
  std::thread a([&] {
#ifdef FIXED
    left.set_value(1);
    of_right.wait();
#else
    if (turn.exchange(1) == 1) of_right.wait();
    left.set_value(1);
#endif
  });
  std::thread b([&] {
#ifdef FIXED
    right.set_value(1);
    of_left.wait();
#else
    turn = 1;
    of_left.wait();
    right.set_value(1);
#endif
  });
  a.join();
  b.join();
}
