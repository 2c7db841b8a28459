// heddle: expect=data_race budget=300 options=report_races=1
// A hand-over that does not go through memory (here: relaxed, as with a device or another process) must be announced with an annotation.
#include <heddle/heddle.h>
#include <sanitizer/tsan_interface.h>

#include <atomic>
#include <thread>

HEDDLE_FUZZ_TEST(hand_over) {
  int letter = 0;
  std::atomic<bool> posted{false};
  std::thread sender([&] {
    letter = 7;
#ifdef FIXED
    __tsan_release(&posted);
#endif
    posted.store(true, std::memory_order_relaxed);
  });
  while (!posted.load(std::memory_order_relaxed)) std::this_thread::yield();
#ifdef FIXED
  __tsan_acquire(&posted);
#endif
  if (letter != 7) __builtin_trap();
  sender.join();
}
