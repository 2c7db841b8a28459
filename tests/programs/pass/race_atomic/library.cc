// heddle: expect=pass runs=2000 options=report_races=1
// The C++ library's own accesses to data that threads share are never reported as races.
#include <heddle/heddle.h>

#include <atomic>
#include <barrier>
#include <condition_variable>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <stop_token>
#include <string>
#include <thread>

HEDDLE_FUZZ_TEST(library) {
  auto shared = std::make_shared<std::string>("a text that is longer than the small buffer of a string");
  std::weak_ptr<std::string> weak = shared;
  std::promise<std::shared_ptr<std::string>> promise;
  std::future<std::shared_ptr<std::string>> future = promise.get_future();
  auto latch = std::make_unique<std::latch>(2);
  auto barrier = std::make_unique<std::barrier<>>(2);
  auto condition = std::make_unique<std::condition_variable>();
  std::shared_mutex rw;
  std::once_flag once;
  std::mutex m;
  bool told = false;
  int plain = 0;
  std::jthread one([&, mine = shared](std::stop_token stop) {
    promise.set_value(mine);
    latch->count_down();
    std::call_once(once, [&] { plain = 1; });
    barrier->arrive_and_wait();
    {
      std::lock_guard lock(m);
      told = true;
      condition->notify_one();
    }
    std::shared_lock read(rw);
    (void)stop.stop_requested();
  });
  std::thread two([other = weak] {
    if (auto s = other.lock()) (void)s->size();
  });
  shared.reset();
  latch->arrive_and_wait();
  std::call_once(once, [&] { plain = 1; });
  if (plain != 1) __builtin_trap();
  auto got = future.get();
  future = {};
  barrier->arrive_and_wait();
  {
    std::unique_lock lock(m);
    condition->wait(lock, [&] { return told; });
  }
  condition.reset();
  latch.reset();
  {
    std::unique_lock write(rw);
    plain = 2;
  }
  auto task = std::async(std::launch::async, [copy = got] { return copy->size(); });
  got.reset();
  (void)task.get();
  two.join();
}
