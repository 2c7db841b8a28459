// heddle: expect=pass runs=1000
// The first call takes a longer way than the later ones: all executions must have the long one.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

namespace {
std::atomic<int> work;

void prepare() {
  static bool prepared = false;
  if (prepared) return;
  prepared = true;
  for (int i = 0; i < 10; ++i) ++work;
}
}  // namespace

HEDDLE_FUZZ_TEST(operations) {
  prepare();
  std::thread other([] { ++work; });
  other.join();
  assert(work == 11);
}
