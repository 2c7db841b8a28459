// heddle: expect=assertion-failure budget=3000
// A worker looks at `closed` without the lock, and then puts its result into the list under the lock. Meanwhile the list was
// closed and emptied.
#include <heddle/heddle.h>

#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

namespace {
struct List {
  std::mutex m;
  bool closed = false;
  std::vector<int> items;
};

void put(List& list, int item) {
#ifdef FIXED
  std::lock_guard lock(list.m);
  if (list.closed) return;
#else
  if (list.closed) return;
  std::lock_guard lock(list.m);
#endif
  list.items.push_back(item);
}
void close(List& list) {
  std::lock_guard lock(list.m);
  list.closed = true;
  list.items.clear();
}
}  // namespace

HEDDLE_FUZZ_TEST(work_before_flag) {
  List list;
  std::thread worker([&] { put(list, 1); });
  std::thread closer([&] { close(list); });
  worker.join();
  closer.join();
  std::lock_guard lock(list.m);
  assert(!list.closed || list.items.empty());
}
