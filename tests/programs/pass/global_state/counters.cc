// heddle: expect=pass runs=1000
// Globals and function-local statics are as before the first execution, each time.
#include <heddle/heddle.h>

#include <cassert>
#include <mutex>
#include <thread>

namespace {
int zero;
int seven = 7;
std::mutex m;

int next() {
  static int n = 40;
  return ++n;
}
}  // namespace

HEDDLE_FUZZ_TEST(counters) {
  assert(zero == 0 && seven == 7);
  std::thread other([] {
    std::lock_guard lock(m);
    next();
    ++zero;
  });
  {
    std::lock_guard lock(m);
    next();
    ++seven;
  }
  other.join();
  assert(next() == 43);
}
