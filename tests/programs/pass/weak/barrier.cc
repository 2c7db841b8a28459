// heddle: expect=pass runs=5000 options=memory=rc11
// Who leaves a barrier or a latch sees what the others have stored before it, in relaxed order too. Each phase goes on from the one before.
#include <heddle/heddle.h>

#include <atomic>
#include <barrier>
#include <cassert>
#include <latch>
#include <thread>

std::atomic<int> stored[2], completed;

HEDDLE_FUZZ_TEST(barrier) {
  stored[0] = stored[1] = completed = 0;
  const auto completion = []() noexcept { completed.store(completed.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); };
  std::barrier phase(2, completion);
  std::latch ready(2);
  const auto work = [&](int me) {
    for (int round = 1; round <= 3; ++round) {
      stored[me].store(round, std::memory_order_relaxed);
      phase.arrive_and_wait();
      assert(stored[1 - me].load(std::memory_order_relaxed) >= round);
      assert(completed.load(std::memory_order_relaxed) >= round);
    }
    stored[me].store(9, std::memory_order_relaxed);
    ready.arrive_and_wait();
    assert(stored[1 - me].load(std::memory_order_relaxed) == 9);
  };
  std::thread one(work, 0), other(work, 1);
  one.join();
  other.join();
}
