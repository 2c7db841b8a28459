// heddle: expect=deadlock budget=2000
// A reader waits for a second reader, who waits behind a writer, who waits for the first.
#include <heddle/mutex.h>

#include <thread>

HEDDLE_FUZZ_TEST(read_lock_through_another) {
  heddle::rw_mutex lock;
  std::thread writer([&] { const std::lock_guard writing(lock); });
  std::thread second;
  {
#ifndef FIXED
    const std::shared_lock reading(lock);
#endif
    second = std::thread([&] { const std::shared_lock reading(lock); });
    second.join();
  }
  writer.join();
}
