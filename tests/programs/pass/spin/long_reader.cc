// heddle: expect=pass runs=5
// Long is not endless, even if no thread does anything new: a thread takes a lock in each round, and only reads.
#include <heddle/heddle.h>

#include <mutex>
#include <thread>
#include <vector>

HEDDLE_FUZZ_TEST(long_reader) {
  std::mutex mutex;
  const std::vector<int> values(5, 1);
  int large = 0;
  std::thread reader([&] {
    for (int i = 0; i < 100'000; ++i) {
      std::lock_guard lock(mutex);
      if (values.size() > 3) ++large;
    }
  });
  reader.join();
  if (large != 100'000) __builtin_trap();
}
