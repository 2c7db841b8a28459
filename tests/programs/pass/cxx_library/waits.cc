// heddle: expect=pass runs=500 options=report_races=1
// Atomics of each size are waited for, and a latch: what was written before is there.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <latch>
#include <thread>

template <typename T>
void wait_for() {
  std::atomic<T> there{0};
  int value = 0;
  std::thread writer([&] {
    value = 1;
    there.store(1);
    there.notify_one();
  });
  there.wait(0);
  assert(value == 1);
  writer.join();
}

HEDDLE_FUZZ_TEST(waits) {
  wait_for<char>();
  wait_for<short>();
  wait_for<int>();
  wait_for<long>();
  std::latch both(2);
  int left = 0, right = 0;
  std::thread one([&] {
    left = 1;
    both.count_down();
  });
  std::thread two([&] {
    right = 1;
    both.arrive_and_wait();
    assert(left == 1);
  });
  both.wait();
  assert(left == 1 && right == 1);
  one.join();
  two.join();
}
