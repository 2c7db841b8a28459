// heddle: expect=assertion budget=2000
// The first element of a list is erased while another thread looks at two neighbours: in the middle of the shift both are the same.
#include <heddle/heddle.h>

#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

namespace {
std::vector<long> jobs;
[[maybe_unused]] std::mutex m;

void take() {
#ifdef FIXED
  std::lock_guard lock(m);
#endif
  jobs.erase(jobs.begin());
}
void compare() {
#ifdef FIXED
  m.lock();
#endif
  const long one = jobs[3], next = jobs[4];
#ifdef FIXED
  m.unlock();
#endif
  assert(one != next);
}
}  // namespace

HEDDLE_FUZZ_TEST(torn_erase) {
  jobs = {1, 2, 3, 4, 5, 6, 7, 8};
  std::thread taker(take), comparer(compare);
  taker.join();
  comparer.join();
}
