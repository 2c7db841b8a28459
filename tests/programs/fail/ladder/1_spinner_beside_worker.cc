// heddle: expect=assertion budget=1000
// Rung 1: threads that are enabled, not held and not spinning. A spinner must neither block the others nor be forgotten.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

HEDDLE_FUZZ_TEST(spinner_beside_worker) {
  std::atomic<int> stage{0};
  std::thread watcher([&] {
    while (stage == 0) {
    }
#ifdef FIXED
    assert(stage >= 1);
#else
    assert(stage == 1);
#endif
  });
  for (int i = 0; i < 5; ++i) ++stage;
  watcher.join();
}
