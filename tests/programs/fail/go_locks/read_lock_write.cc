// heddle: expect=data_race budget=200 options=report_races=1
// A counter is changed under a lock for reading.
#include <heddle/mutex.h>

#include <thread>

HEDDLE_FUZZ_TEST(read_lock_write) {
  heddle::rw_mutex lock;
  int hits = 0;
  const auto hit = [&] {
#ifdef FIXED
    const std::lock_guard guard(lock);
#else
    const std::shared_lock guard(lock);
#endif
    ++hits;
  };
  std::thread one(hit), two(hit);
  one.join();
  two.join();
}
