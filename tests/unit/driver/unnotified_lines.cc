// A thread waits on a condition variable, and nobody notifies. The report names its read of the condition and the change that it has missed.
#include <heddle/heddle.h>

#include <condition_variable>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(unnotified_lines) {
  std::mutex mutex;
  std::condition_variable changed;
  int seen = 0, ready = 0;
  std::thread other([&] {
    std::unique_lock lock(mutex);
    ++seen;
    while (ready == 0) changed.wait(lock);  // read
  });
  const auto change = [&](int& what) {
    std::lock_guard lock(mutex);
    ++what;  // changed
  };
  change(seen);
  change(ready);
  change(seen);
  other.join();
}
