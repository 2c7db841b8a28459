// heddle: expect=assertion budget=3000
// A ring between a producer and a consumer: the indices wrap at the size, so that a full ring looks like an empty one.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

namespace {
constexpr unsigned kSize = 4;

class Ring {
 public:
  bool push(int value) {
    const unsigned at = head_.load();
#ifdef FIXED
    if ((at + 1) % kSize == tail_.load()) return false;
#else
    const unsigned used = (at - tail_.load()) % kSize;
    if (used >= kSize) return false;
#endif
    slots_[at] = value;
    head_.store((at + 1) % kSize);
    return true;
  }
  bool pop(int& value) {
    const unsigned at = tail_.load();
    if (at == head_.load()) return false;
    value = slots_[at];
    tail_.store((at + 1) % kSize);
    return true;
  }

 private:
  std::atomic<unsigned> head_{0}, tail_{0};
  int slots_[kSize] = {};
};
}  // namespace

HEDDLE_FUZZ_TEST(full_is_empty) {
  Ring ring;
  int accepted = 0, received = 0;
  std::atomic<bool> done{false};
  std::thread producer([&] {
    for (int i = 1; i <= 4; ++i) accepted += ring.push(i);
    done = true;
  });
  std::thread consumer([&] {
    int value;
    for (int looks = 0; looks < 3; ++looks) received += ring.pop(value);
  });
  producer.join();
  consumer.join();
  int value;
  while (ring.pop(value)) ++received;
  assert(received == accepted);
}
