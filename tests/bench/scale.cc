// A program of any size, as the payload says: its shape, its number of threads, and visible operations per thread.
#include <heddle/heddle.h>

#include <sched.h>

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

namespace {
std::mutex m;
std::atomic<int> shared_counter;
std::atomic<int> own_counters[256];

void work(int shape, int me, uint32_t operations) {
  switch (shape) {
    case 0:  // all on one atomic
      for (uint32_t i = 0; i < operations; ++i) shared_counter.fetch_add(1);
      break;
    case 1:  // each on its own atomic
      for (uint32_t i = 0; i < operations; ++i) own_counters[me].fetch_add(1);
      break;
    case 2:  // one mutex: lock and unlock
      for (uint32_t i = 0; i < operations / 2; ++i) std::lock_guard lock(m);
      break;
    case 3:  // nothing but switches
      for (uint32_t i = 0; i < operations; ++i) sched_yield();
      break;
  }
}
}  // namespace

HEDDLE_FUZZ_TEST(scale) {
  heddle::PayloadReader in;
  const int shape = in.take<uint8_t>();
  const uint32_t threads = in.take<uint32_t>(), operations = in.take<uint32_t>();
  std::vector<std::thread> all;
  for (uint32_t i = 1; i < threads; ++i) all.emplace_back(work, shape, static_cast<int>(i % 256), operations);
  work(shape, 0, operations);
  for (auto& t : all) t.join();
}
