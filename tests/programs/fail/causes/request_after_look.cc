// heddle: expect=blocked_threads budget=1000
// Who gets the lock does the requests of all. A request that comes after that look is done by nobody: its owner finds the lock taken, and waits.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

struct Combiner {
  std::mutex mutex;
  std::atomic<int> requests[2] = {0, 0};
  int total = 0;

  void do_all() {
    for (auto& request : requests) {
      const int amount = request;
      if (amount == 0) continue;
      total += amount;
      request = 0;
      request.notify_one();
    }
  }
  void add(int thread, int amount) {
    requests[thread] = amount;
#ifdef FIXED
    std::lock_guard lock(mutex);
    do_all();
#else
    if (std::unique_lock lock(mutex, std::try_to_lock); lock) do_all();
    else requests[thread].wait(amount);
#endif
  }
};

HEDDLE_FUZZ_TEST(request_after_look) {
  Combiner c;
  std::thread other([&] { c.add(1, 5); });
  c.add(0, 2);
  other.join();
  assert(c.total == 7);
}
