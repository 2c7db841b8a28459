// heddle: expect=endless_threads budget=400
// A detached thread retries a compare-and-swap. If main has closed the slot first, it never succeeds, and the thread retries for ever.
#include <heddle/heddle.h>

#include <atomic>
#include <thread>

namespace {
enum State { free_slot, taken, closed };
std::atomic<State> slot;
}  // namespace

HEDDLE_FUZZ_TEST(retry_after_main) {
  slot = free_slot;
  std::thread([] {
    State expected = free_slot;
    while (!slot.compare_exchange_weak(expected, taken)) {
#ifdef FIXED
      if (expected == closed) return;
#endif
      expected = free_slot;
    }
  }).detach();
  slot = closed;
}
