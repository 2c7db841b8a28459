// heddle: expect=pass runs=300
// A plain flag is no choice point. But the loop must end.
#include <heddle/heddle.h>

#include <thread>

namespace {
volatile bool go;
volatile int laps;
}  // namespace

HEDDLE_FUZZ_TEST(plain_flag) {
  std::thread one([] { while (!go) {} });
  std::thread two([] { while (!go) laps = laps + 1; });
  go = true;
  one.join();
  two.join();
}
