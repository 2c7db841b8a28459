// heddle: expect=data_race budget=200 options=report_races=1
// A counter that is counted atomically is read before its counters have ended.
#include <heddle/heddle.h>

#include <atomic>
#include <cstring>
#include <thread>

HEDDLE_FUZZ_TEST(plain_read) {
  std::atomic<long> hits{0};
  std::thread one([&] { hits.fetch_add(1, std::memory_order_relaxed); });
  std::thread two([&] { ++hits; });
#ifdef FIXED
  one.join();
  two.join();
#endif
  volatile long kept;
  long seen;
  std::memcpy(&seen, static_cast<void*>(&hits), sizeof seen);
  kept = seen;
  (void)kept;
#ifndef FIXED
  one.join();
  two.join();
#endif
}
