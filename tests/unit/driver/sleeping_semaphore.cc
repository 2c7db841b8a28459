// Three threads take what three others give: with libstdc++ before 14, some schedules leave one of them asleep.
#include <heddle/heddle.h>

#include <chrono>
#include <semaphore>
#include <thread>
#include <vector>

#ifndef SEMAPHORE
#define SEMAPHORE std::counting_semaphore<4>
#endif

HEDDLE_FUZZ_TEST(sleeping_semaphore) {
  constexpr int kThreads = 3;
  SEMAPHORE semaphore(0);
  std::vector<std::thread> all;
  for (int i = 0; i < kThreads; ++i) {
    all.emplace_back([&, timed = TIMED && i == 0] {
      while (timed && !semaphore.try_acquire_for(std::chrono::seconds(1))) {
      }
      if (!timed) semaphore.acquire();
    });
  }
  for (int i = 0; i < kThreads; ++i) all.emplace_back([&] { semaphore.release(); });
  for (std::thread& thread : all) thread.join();
}
