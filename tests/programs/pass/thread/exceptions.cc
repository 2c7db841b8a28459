// heddle: expect=pass runs=1000
// Exceptions in flight belong to their thread, also across switches.
#include <heddle/heddle.h>

#include <cassert>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

namespace {
std::mutex m;

void thrower(int n) {
  for (int i = 0; i < 3; ++i) {
    try {
      std::lock_guard lock(m);
      throw std::runtime_error(std::to_string(n * 10 + i));
    } catch (const std::exception& e) {
      assert(std::uncaught_exceptions() == 0);
      {
        std::lock_guard lock(m);
      }
      std::this_thread::yield();
      assert(e.what() == std::to_string(n * 10 + i));
      try {
        std::rethrow_exception(std::current_exception());
      } catch (const std::runtime_error& again) {
        std::this_thread::yield();
        assert(again.what() == std::to_string(n * 10 + i));
      }
    }
  }
}
}  // namespace

HEDDLE_FUZZ_TEST(exceptions) {
  std::thread one(thrower, 1), two(thrower, 2);
  thrower(3);
  one.join();
  two.join();
}
