// heddle: expect=assertion budget=30000
// A deque of the Chase-Lev kind: the owner takes from the bottom, a thief from the top. For the last item both must agree by a
// compare-and-swap; the owner here thinks that it need not.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

namespace {
std::atomic<int> top, bottom, items[8], taken[8];

void push(int item) {
  const int b = bottom;
  items[b] = item;
  bottom = b + 1;
}

int take() {
  const int b = bottom - 1;
  bottom = b;
  int t = top;
  if (t > b) {
    bottom = b + 1;
    return -1;
  }
  const int item = items[b];
  if (t < b) return item;
  int result = item;
#ifdef FIXED
  if (!top.compare_exchange_strong(t, t + 1)) result = -1;
#else
  top = t + 1;
#endif
  bottom = b + 1;
  return result;
}

int steal() {
  int t = top;
  const int b = bottom;
  if (t >= b) return -1;
  const int item = items[t];
  if (!top.compare_exchange_strong(t, t + 1)) return -1;
  return item;
}

void use(int item) {
  if (item >= 0) assert(taken[item].exchange(1) == 0);
}
}  // namespace

HEDDLE_FUZZ_TEST(work_stealing) {
  push(0);
  push(1);
  std::thread thief([] {
    use(steal());
    use(steal());
  });
  use(take());
  use(take());
  thief.join();
}
