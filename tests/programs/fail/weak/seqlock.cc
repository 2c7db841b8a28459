// heddle: expect=assertion options=memory=rc11 budget=4000
// A sequence lock: without the fences, the reader's data can be older or newer than the two looks at the sequence. (FIXED: with them.)
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

std::atomic<unsigned> sequence;
std::atomic<int> left, right;

void fence(std::memory_order order) {
#ifdef FIXED
  std::atomic_thread_fence(order);
#else
  static_cast<void>(order);
#endif
}

void write(int value) {
  const unsigned begun = sequence.load(std::memory_order_relaxed) + 1;
  sequence.store(begun, std::memory_order_relaxed);
  fence(std::memory_order_release);
  left.store(value, std::memory_order_relaxed);
  right.store(value, std::memory_order_relaxed);
  sequence.store(begun + 1, std::memory_order_release);
}

HEDDLE_FUZZ_TEST(seqlock) {
  sequence = 0;
  left = right = 0;
  std::thread writer([] { write(1), write(2); });
  for (int tries = 0; tries < 3; ++tries) {
    const unsigned before = sequence.load(std::memory_order_acquire);
    const int l = left.load(std::memory_order_relaxed), r = right.load(std::memory_order_relaxed);
    fence(std::memory_order_acquire);
    if (before % 2 == 0 && sequence.load(std::memory_order_relaxed) == before) assert(l == r);
  }
  writer.join();
}
