// heddle: expect=pass runs=3
// More threads than an execution can have at once, but one after the other: it ends like any execution that is too long, and nothing is said of the program.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

HEDDLE_FUZZ_TEST(many_in_turn) {
  std::atomic<int> count{0};
  for (int i = 0; i < 20'000; ++i) {
    std::thread([&] { ++count; }).join();
    assert(count == i + 1);
  }
}
