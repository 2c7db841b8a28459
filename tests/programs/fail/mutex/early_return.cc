// heddle: expect=deadlock|blocked_threads budget=1000
// One path leaves a function without giving the lock back.
#include <heddle/heddle.h>

#include <atomic>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(early_return) {
  std::mutex m;
  std::atomic<int> state{0};
  auto step = [&](int expected) {
    m.lock();
    if (state != expected) {
#ifdef FIXED
      m.unlock();
#endif
      return;
    }
    state = expected + 1;
    m.unlock();
  };
  std::thread one(step, 0), two(step, 1);
  one.join();
  two.join();
  m.lock();
  m.unlock();
}
