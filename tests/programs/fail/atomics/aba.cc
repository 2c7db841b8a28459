// heddle: expect=assertion budget=20000
// A lock-free stack of indices: the top is the same again, but what lies below it is not (ABA).
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

namespace {
constexpr uint32_t kNone = 0xFFFF;
std::atomic<uint32_t> top;  // index, and in the fixed version a count above it
std::atomic<uint32_t> next[4];
std::atomic<int> taken[4];

uint32_t with_count(uint32_t old, uint32_t index) {
#ifdef FIXED
  return ((old >> 16) + 1) << 16 | index;
#else
  (void)old;
  return index;
#endif
}

uint32_t pop() {
  for (;;) {
    uint32_t old = top;
    const uint32_t index = old & 0xFFFF;
    if (index == kNone) return kNone;
    const uint32_t below = next[index];
    if (top.compare_exchange_strong(old, with_count(old, below))) {
      assert(taken[index].exchange(1) == 0);
      return index;
    }
  }
}

void push(uint32_t index) {
  taken[index] = 0;
  uint32_t old = top;
  do {
    next[index] = old & 0xFFFF;
  } while (!top.compare_exchange_strong(old, with_count(old, index)));
}
}  // namespace

HEDDLE_FUZZ_TEST(aba) {
  top = 0;
  next[0] = 1;
  next[1] = 2;
  next[2] = kNone;
  std::thread slow([] { pop(); });
  std::thread fast([] {
    const uint32_t first = pop();
    pop();
    if (first != kNone) push(first);
  });
  slow.join();
  fast.join();
  while (pop() != kNone) {
  }
}
