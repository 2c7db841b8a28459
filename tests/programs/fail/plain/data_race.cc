// heddle: expect=data_race budget=200 options=report_races=1
// A race that no assertion shows: a finding where the user asks for it.
#include <heddle/heddle.h>

#include <mutex>
#include <thread>

namespace {
int hits;
[[maybe_unused]] std::mutex m;

void hit() {
#ifdef FIXED
  std::lock_guard lock(m);
#endif
  ++hits;
}
}  // namespace

HEDDLE_FUZZ_TEST(data_race) {
  std::thread one(hit), two(hit);
  one.join();
  two.join();
}
