// heddle: expect=pass runs=1000
// A time-out that is handled is harmless. Repeated waits with a time limit end.
#include <heddle/heddle.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(timed_waits) {
  std::timed_mutex lockable;
  std::mutex m;
  std::condition_variable changed;
  bool done = false;
  std::thread worker([&] {
    while (!lockable.try_lock_for(std::chrono::milliseconds(5))) {
    }
    lockable.unlock();
    std::lock_guard lock(m);
    done = true;
    changed.notify_all();
  });
  lockable.lock();
  std::this_thread::sleep_for(std::chrono::seconds(1));
  lockable.unlock();
  std::unique_lock lock(m);
  while (!done) {
    if (changed.wait_for(lock, std::chrono::milliseconds(10)) == std::cv_status::timeout && done) break;
  }
  lock.unlock();
  worker.join();
}
