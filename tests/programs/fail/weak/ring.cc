// heddle: expect=assertion options=memory=rc11 budget=4000
// A ring for one producer and one consumer whose tail is stored relaxed: a slot can be read before it is filled. (FIXED: release.)
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

#ifdef FIXED
constexpr auto kPublish = std::memory_order_release;
#else
constexpr auto kPublish = std::memory_order_relaxed;
#endif

struct Ring {
  static constexpr unsigned kSize = 2;
  std::atomic<int> slots[kSize];
  std::atomic<unsigned> head, tail;

  bool push(int value) {
    const unsigned t = tail.load(std::memory_order_relaxed);
    if (t - head.load(std::memory_order_acquire) == kSize) return false;
    slots[t % kSize].store(value, std::memory_order_relaxed);
    tail.store(t + 1, kPublish);
    return true;
  }
  bool pop(int& value) {
    const unsigned h = head.load(std::memory_order_relaxed);
    if (h == tail.load(std::memory_order_acquire)) return false;
    value = slots[h % kSize].load(std::memory_order_relaxed);
    head.store(h + 1, std::memory_order_release);
    return true;
  }
} ring;

HEDDLE_FUZZ_TEST(ring_of_one_producer) {
  for (auto& slot : ring.slots) slot = 0;
  ring.head = ring.tail = 0;
  std::thread producer([] {
    for (int i = 1; i <= 3; ++i) {
      while (!ring.push(i)) std::this_thread::yield();
    }
  });
  for (int i = 1; i <= 3; ++i) {
    int value = 0;
    while (!ring.pop(value)) std::this_thread::yield();
    assert(value == i);
  }
  producer.join();
}
