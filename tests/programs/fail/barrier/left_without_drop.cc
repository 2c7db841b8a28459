// heddle: expect=blocked-threads budget=500
// A worker that runs out of work leaves without arrive_and_drop.
#include <heddle/heddle.h>

#include <atomic>
#include <barrier>
#include <thread>

HEDDLE_FUZZ_TEST(left_without_drop) {
  std::barrier round(2);
  std::atomic<int> work{1};
  const auto worker = [&] {
    if (--work < 0) {
#ifdef FIXED
      round.arrive_and_drop();
#endif
      return;
    }
    round.arrive_and_wait();
  };
  std::thread one(worker), other(worker);
  one.join();
  other.join();
}
