// heddle: expect=pass runs=500
// condition_variable_any, and jthread with its stop token.
#include <heddle/heddle.h>

#include <condition_variable>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(any) {
  std::mutex m;
  std::condition_variable_any changed;
  int n = 0;
  std::jthread counter([&](std::stop_token stop) {
    std::unique_lock lock(m);
    while (!stop.stop_requested()) {
      changed.wait(lock, stop, [&] { return n == 2; });
      if (n == 2) return;
    }
  });
  std::jthread adder([&] {
    for (int i = 0; i < 2; ++i) {
      std::lock_guard lock(m);
      ++n;
      changed.notify_all();
    }
  });
}
