// heddle: expect=stack-use-after-return budget=500
// A thread shows its own variable to others, and ends. Where that was the runtime's own frames may be.
#include <heddle/heddle.h>

#include <atomic>
#include <thread>

namespace {

struct Slot {
  std::atomic<bool> taken{false};
  int values[64];
};

}  // namespace

HEDDLE_FUZZ_TEST(ended_thread) {
  std::atomic<Slot*> shown{nullptr};
  std::thread owner([&] {
    Slot slot;
    shown = &slot;
#ifdef FIXED
    while (!slot.taken) std::this_thread::yield();
#else
    for (int i = 0; i < 3 && !slot.taken; ++i) std::this_thread::yield();
    shown = nullptr;
#endif
  });
  std::thread writer([&] {
    Slot* slot;
    while ((slot = shown.load()) == nullptr) {
#ifndef FIXED
      return;
#endif
      std::this_thread::yield();
    }
    for (int& value : slot->values) value = 0x41414141;
    slot->taken = true;
  });
  owner.join();
  writer.join();
}
