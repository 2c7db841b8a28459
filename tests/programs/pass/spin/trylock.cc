// heddle: expect=pass runs=500
// Spinning with try_lock, and with a compare-and-swap that fails.
#include <heddle/heddle.h>

#include <atomic>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(trylock) {
  std::mutex m;
  std::atomic<int> owner{0};
  int n = 0, k = 0;
  auto work = [&](int me) {
    while (!m.try_lock()) {
    }
    ++n;
    m.unlock();
    int nobody = 0;
    while (!owner.compare_exchange_strong(nobody, me)) nobody = 0;
    ++k;
    owner = 0;
  };
  std::thread one(work, 1), two(work, 2), three(work, 3);
  one.join();
  two.join();
  three.join();
  if (n != 3 || k != 3) __builtin_trap();
}
