// heddle: expect=blocked_threads budget=500
// A place that a thread takes and, on a path for errors, does not give back.
#include <heddle/heddle.h>

#include <semaphore.h>

#include <atomic>
#include <thread>

HEDDLE_FUZZ_TEST(not_given_back) {
  sem_t places;
  sem_init(&places, 0, 1);
  std::atomic<bool> failed{false};
  std::thread other([&] {
    sem_wait(&places);
#ifndef FIXED
    if (failed) return;
#endif
    sem_post(&places);
  });
  failed = true;
  sem_wait(&places);
  sem_post(&places);
  other.join();
  sem_destroy(&places);
}
