// heddle: expect=pass runs=2000 options=report_races=1
// Waits of the C++ library on objects that end as soon as the waiter is back, and what tells it: no access to them races.
#include <heddle/heddle.h>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <optional>
#include <semaphore>
#include <shared_mutex>
#include <stop_token>
#include <thread>

HEDDLE_FUZZ_TEST(library_waits) {
  auto flag = std::make_unique<std::atomic_flag>();
  auto number = std::make_unique<std::atomic<int>>(0);
  auto latch = std::make_unique<std::latch>(1);
  auto any = std::make_unique<std::condition_variable_any>();
  std::shared_timed_mutex m;
  bool ready = false;
  std::packaged_task<int()> task([] { return 3; });
  auto result = task.get_future();
  std::stop_source source;
  int stopped = 0;
  std::thread one([&, raw = number.get()] {
    raw->store(1);
    raw->notify_one();
    flag->test_and_set();
    flag->notify_all();
    latch->count_down();
    task();
    {
      std::lock_guard lock(m);
      ready = true;
      any->notify_all();
    }
    source.request_stop();
  });
  number->wait(0);
  flag->wait(false);
  latch->wait();
  (void)result.get();
  {
    std::optional<std::stop_callback<std::function<void()>>> callback;
    callback.emplace(source.get_token(), [&] { ++stopped; });
    callback.reset();  // has run, or will not
    if (stopped > 1) __builtin_trap();
  }
  {
    std::unique_lock lock(m);
    any->wait(lock, [&] { return ready; });
  }
  any.reset();
  latch.reset();
  one.join();
}
