// heddle: expect=pass runs=1500
// What happens at a thread's end: a promise is kept, a notification sent, a mutex unlocked. More executions than there are keys.
#include <heddle/heddle.h>

#include <cassert>
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(thread_end) {
  std::promise<int> promise;
  auto promised = promise.get_future();
  std::mutex mutex;
  std::condition_variable changed;
  bool ready = false;
  std::thread other([&] {
    thread_local struct Local {
      int n = 0;
      ~Local() { n = -1; }
    } local;
    assert(local.n++ == 0);
    promise.set_value_at_thread_exit(3);
    std::unique_lock lock(mutex);
    ready = true;
    std::notify_all_at_thread_exit(changed, std::move(lock));
  });
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return ready; });
  }
  assert(promised.get() == 3);
  other.join();
  assert(std::async(std::launch::async, [] { return 7; }).get() == 7);
}
