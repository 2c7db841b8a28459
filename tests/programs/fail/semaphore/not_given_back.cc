// heddle: expect=blocked_threads budget=500
// A place that a thread takes and, on a path for errors, does not give back.
#include <heddle/heddle.h>

#include <atomic>
#include <semaphore>
#include <thread>

HEDDLE_FUZZ_TEST(not_given_back) {
  std::counting_semaphore<4> places(1);
  std::atomic<bool> failed{false};
  std::thread other([&] {
    places.acquire();
#ifndef FIXED
    if (failed) return;
#endif
    places.release();
  });
  failed = true;
  places.acquire();
  places.release();
  other.join();
}
