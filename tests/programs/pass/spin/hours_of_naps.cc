// heddle: expect=pass runs=20
// A thread naps until a time that is a million naps away, while another waits for it: that is long, but no livelock, and no thread stays blocked.
#include <heddle/heddle.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(hours_of_naps) {
  using namespace std::chrono_literals;
  std::mutex m;
  std::condition_variable c;
  bool go = false;
  std::thread worker([&] {
    std::unique_lock lock(m);
    c.wait(lock, [&] { return go; });
  });
  for (const auto end = std::chrono::steady_clock::now() + 3h; std::chrono::steady_clock::now() < end;) std::this_thread::sleep_for(10ms);
  {
    std::lock_guard lock(m);
    go = true;
  }
  c.notify_one();
  worker.join();
}
