// heddle: expect=pass runs=1000 options=report_races=1
// What is written before a barrier is read after it. One of the three threads drops out after the first phase.
#include <heddle/heddle.h>

#include <barrier>
#include <cassert>
#include <thread>
#include <vector>

HEDDLE_FUZZ_TEST(phases) {
  int completed = 0, first[3] = {}, second[3] = {};
  auto complete = [&]() noexcept { ++completed; };
  std::barrier barrier(3, complete);
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&, i] {
      first[i] = i + 1;
      barrier.arrive_and_wait();
      second[i] = first[0] + first[1] + first[2];
      if (i == 2) return barrier.arrive_and_drop();
      barrier.arrive_and_wait();
      assert(second[0] == 6 && second[1] == 6 && second[2] == 6);
    });
  }
  for (auto& thread : threads) thread.join();
  assert(completed == 2);
}
