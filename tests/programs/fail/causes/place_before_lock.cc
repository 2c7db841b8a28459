// heddle: expect=assertion-failure budget=2000
// The place is chosen before the lock is taken, so both threads can write to the same one.
#include <heddle/heddle.h>

#include <cassert>
#include <mutex>
#include <thread>

namespace {
std::mutex m;
int items[4], used;

void add(int item) {
#ifdef FIXED
  std::lock_guard lock(m);
  const int place = used;
#else
  const int place = used;
  std::lock_guard lock(m);
#endif
  items[place] = item;
  used = place + 1;
}
}  // namespace

HEDDLE_FUZZ_TEST(place_before_lock) {
  used = 0;
  std::thread one(add, 1), other(add, 2);
  one.join();
  other.join();
  std::lock_guard lock(m);
  assert(used == 2);
}
