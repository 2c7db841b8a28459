// heddle: expect=pass runs=500 options=report_races=1
// Everything that orders plain accesses: thread start and end, locks, condition variables, release and acquire, fences.
#include <heddle/heddle.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace {
int by_create, by_lock, by_wait, by_release, by_fence, by_join;
std::mutex m;
std::condition_variable changed;
bool waited_for;
std::atomic<int> flag, fenced;

void worker() {
  ++by_create;
  {
    std::lock_guard lock(m);
    ++by_lock;
  }
  by_wait = 1;
  {
    std::lock_guard lock(m);
    waited_for = true;
    changed.notify_one();
  }
  by_release = 1;
  flag.store(1, std::memory_order_release);
  by_fence = 1;
  std::atomic_thread_fence(std::memory_order_release);
  fenced.store(1, std::memory_order_relaxed);
  by_join = 1;
}
}  // namespace

HEDDLE_FUZZ_TEST(race_free) {
  by_create = 1;
  std::thread thread(worker);
  {
    std::lock_guard lock(m);
    ++by_lock;
  }
  {
    std::unique_lock lock(m);
    changed.wait(lock, [] { return waited_for; });
    ++by_wait;
  }
  if (flag.load(std::memory_order_acquire) != 0) ++by_release;
  if (fenced.load(std::memory_order_relaxed) != 0) {
    std::atomic_thread_fence(std::memory_order_acquire);
    ++by_fence;
  }
  thread.join();
  ++by_join;
  ++by_release;
}
