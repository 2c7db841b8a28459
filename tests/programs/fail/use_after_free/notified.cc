// heddle: expect=heap-use-after-free budget=1000
// Who waits frees the atomic as soon as it sees the value. To notify it after that uses only the address; to load it uses the memory.
#include <heddle/heddle.h>

#include <atomic>
#include <memory>
#include <thread>

HEDDLE_FUZZ_TEST(notified) {
  auto flag = std::make_unique<std::atomic<int>>(0);
  std::thread other([raw = flag.get()] {
    raw->store(1);
    raw->notify_one();
#ifndef FIXED
    raw->load();
#endif
  });
  while (flag->load() == 0) flag->wait(0);
  flag.reset();
  other.join();
}
