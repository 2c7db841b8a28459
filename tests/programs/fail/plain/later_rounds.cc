// heddle: expect=assertion budget=1000
// A loop reads a limit in each round: it may change after the check that stood before the loop.
#include <heddle/heddle.h>

#include <cassert>
#include <mutex>
#include <thread>

namespace {
volatile int limit;
[[maybe_unused]] std::mutex m;

void reader() {
#ifdef FIXED
  std::lock_guard lock(m);
#endif
  if (limit > 3) return;
  int rounds = 0;
  for (int i = 0; i < limit; ++i) ++rounds;
  assert(rounds <= 3);
}
void writer() {
#ifdef FIXED
  std::lock_guard lock(m);
#endif
  limit = 5;
}
}  // namespace

HEDDLE_FUZZ_TEST(later_rounds) {
  limit = 3;
  std::thread one(reader), two(writer);
  one.join();
  two.join();
}
