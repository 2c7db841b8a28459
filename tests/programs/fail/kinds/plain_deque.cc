// heddle: expect=assertion budget=5000
// A deque in ordinary variables: the owner takes from the bottom, a thief from the top. For the last
// item they need the lock, and one of them looks at the ends before it has it.
#include <heddle/heddle.h>

#include <cassert>
#include <mutex>
#include <thread>

namespace {
volatile int top, bottom;
volatile int items[4], taken[4];
std::mutex ends;

void push(int item) {
  items[bottom] = item;
  bottom = bottom + 1;
}

int take() {
#ifdef FIXED
  std::lock_guard lock(ends);
  if (top >= bottom) return -1;
#else
  if (top >= bottom) return -1;
  std::lock_guard lock(ends);
#endif
  bottom = bottom - 1;
  return items[bottom];
}

int steal() {
  std::lock_guard lock(ends);
  if (top >= bottom) return -1;
  const int item = items[top];
  top = top + 1;
  return item;
}

void use(int item) {
  static std::mutex use_lock;
  std::lock_guard lock(use_lock);
  if (item < 0) return;
  assert(taken[item] == 0);
  taken[item] = 1;
}
}  // namespace

HEDDLE_FUZZ_TEST(plain_deque) {
  for (int i = 0; i < 3; ++i) push(i);
  std::thread thief([] {
    use(steal());
    use(steal());
  });
  use(take());
  use(take());
  thief.join();
}
