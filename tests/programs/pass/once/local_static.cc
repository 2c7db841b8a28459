// heddle: expect=pass runs=1000
// A function-local static is constructed once in each execution, by any thread, and again in every execution.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

namespace {
std::atomic<int> built;

struct Config {
  std::atomic<int> uses{0};
  Config() {
    ++built;
    std::this_thread::yield();
  }
};

Config& config() {
  static Config instance;
  return instance;
}
}  // namespace

HEDDLE_FUZZ_TEST(local_static) {
  assert(built == 0);
  auto use = [] { ++config().uses; };
  std::thread one(use), two(use);
  one.join();
  two.join();
  assert(built == 1 && config().uses == 2);
}
