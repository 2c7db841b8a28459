// heddle: expect=blocked-threads budget=500
// A component that fails to start does not count down.
#include <heddle/heddle.h>

#include <atomic>
#include <latch>
#include <stdexcept>
#include <thread>

HEDDLE_FUZZ_TEST(left_out) {
  std::latch ready(2);
  std::atomic<int> ports{1};
  const auto start = [&] {
    try {
      if (--ports < 0) throw std::runtime_error("no port left");
    } catch (const std::runtime_error&) {
#ifndef FIXED
      return;
#endif
    }
    ready.count_down();
  };
  std::thread one(start), other(start);
  one.join();
  other.join();
  ready.wait();
}
