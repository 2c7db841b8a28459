// heddle: expect=assertion budget=3000
// A stack whose size is read before the lock is taken.
#include <heddle/heddle.h>

#include <cassert>
#include <mutex>
#include <thread>

namespace {
std::mutex m;
volatile int top;
int items[8];

void push(int v) {
  std::lock_guard lock(m);
  items[top] = v;
  top = top + 1;
}
bool pop() {
#ifdef FIXED
  std::lock_guard lock(m);
  if (top == 0) return false;
#else
  if (top == 0) return false;
  std::lock_guard lock(m);
#endif
  assert(top > 0);
  top = top - 1;
  return true;
}
}  // namespace

HEDDLE_FUZZ_TEST(stack) {
  std::thread producer([] { push(1); });
  std::thread one([] { pop(); });
  std::thread two([] { pop(); });
  producer.join();
  one.join();
  two.join();
}
