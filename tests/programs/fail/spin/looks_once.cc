// heddle: expect=livelock budget=3000
// The worker looks only once, and without a lock, whether it is to answer. If it looks too early, main spins without end.
#include <heddle/heddle.h>

#include <atomic>
#include <thread>

HEDDLE_FUZZ_TEST(looks_once) {
  bool wanted = false;
  std::atomic<bool> answered = false;
#ifdef FIXED
  wanted = true;
#endif
  std::thread worker([&] {
    if (wanted) answered = true;
  });
#ifndef FIXED
  wanted = true;
#endif
  while (!answered) std::this_thread::yield();
  worker.join();
}
