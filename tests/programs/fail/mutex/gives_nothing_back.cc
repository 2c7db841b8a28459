// heddle: expect=livelock budget=200 seeds=1
// Two threads take the same two locks, in opposite orders, with time limits. A thread that did not get the second lock must release the first one.
// Both in step, again and again, is no livelock: any of them may be late once.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

namespace {
void take_both(std::timed_mutex& first, std::timed_mutex& second) {
  std::unique_lock one(first);
  while (!second.try_lock_for(2ms)) {
#ifdef FIXED
    one.unlock();
    one.lock();
#endif
  }
  second.unlock();
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t*, size_t) {
  std::timed_mutex a, b;
  std::thread other([&] { take_both(a, b); });
  take_both(b, a);
  other.join();
  return 0;
}
