// heddle: expect=assertion budget=1000
// "It takes a millisecond, I sleep for ten."
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

HEDDLE_FUZZ_TEST(sleep_is_enough) {
  std::atomic<bool> done{false};
  std::thread worker([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    done = true;
  });
#ifdef FIXED
  worker.join();
#else
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
#endif
  assert(done);
  if (worker.joinable()) worker.join();
}
