// heddle: expect=assertion budget=3000
// A ring for one producer, used by two.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

namespace {
std::atomic<int> slots[4];
std::atomic<unsigned> head, tail;
[[maybe_unused]] std::mutex producers;

bool put(int v) {
#ifdef FIXED
  std::lock_guard lock(producers);
#endif
  const unsigned at = tail;
  if (at - head == 4) return false;
  slots[at % 4] = v;
  tail = at + 1;
  return true;
}
int get() {
  const unsigned at = head;
  if (at == tail) return 0;
  const int v = slots[at % 4];
  head = at + 1;
  return v;
}
}  // namespace

HEDDLE_FUZZ_TEST(circular_buffer) {
  std::thread one([] { put(1); });
  std::thread two([] { put(2); });
  one.join();
  two.join();
  int sum = 0;
  while (const int v = get()) sum += v;
  assert(sum == 3);
}
