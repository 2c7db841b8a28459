// heddle: expect=assertion budget=1000
// A table is cleared while another thread copies it: the copy has old and new elements.
#include <heddle/heddle.h>

#include <algorithm>
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

namespace {
std::vector<int> table;
[[maybe_unused]] std::mutex m;

void clear() {
#ifdef FIXED
  std::lock_guard lock(m);
#endif
  std::fill(table.begin(), table.end(), 0);
}
void copy() {
#ifdef FIXED
  m.lock();
#endif
  const std::vector<int> seen = table;
#ifdef FIXED
  m.unlock();
#endif
  assert(seen.front() == seen.back());
}
}  // namespace

HEDDLE_FUZZ_TEST(torn_table) {
  table.assign(300, 7);
  std::thread cleaner(clear), copier(copy);
  cleaner.join();
  copier.join();
}
