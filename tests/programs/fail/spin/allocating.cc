// heddle: expect=livelock budget=20 seeds=1
// Each round of the loop makes a message and throws it away, for the ring is full: new memory every time, and nothing new.
#include <heddle/heddle.h>

#include <atomic>
#include <memory>
#include <thread>

namespace {

struct Message {
  int kind, size;
};

struct Ring {
  std::atomic<bool> full{true};
  std::unique_ptr<Message> last;

  bool push(std::unique_ptr<Message> message) {
    if (full.load()) return false;
    last = std::move(message);
    return true;
  }
};

}  // namespace

HEDDLE_FUZZ_TEST(allocating) {
  Ring ring;
  std::thread consumer([&] {
#ifdef FIXED
    ring.full = false;
#endif
  });
  std::thread producer([&] {
    while (!ring.push(std::make_unique<Message>(Message{1, 2}))) std::this_thread::yield();
  });
  consumer.join();
  producer.join();
}
