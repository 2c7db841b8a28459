// heddle: expect=assertion budget=1000
// Two consumers and one item: between the notification and the return of the wait the other one takes it.
#include <heddle/heddle.h>

#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(stolen) {
  std::mutex m;
  std::condition_variable available;
  std::deque<int> items;
  bool closed = false;
  auto consume = [&] {
    std::unique_lock lock(m);
#ifdef FIXED
    while (items.empty() && !closed) available.wait(lock);
    if (items.empty()) return;
#else
    if (items.empty() && !closed) available.wait(lock);
    if (items.empty() && closed) return;
    assert(!items.empty());
#endif
    items.pop_front();
  };
  std::thread one(consume), two(consume);
  {
    std::lock_guard lock(m);
    items.push_back(1);
    available.notify_one();
  }
  {
    std::lock_guard lock(m);
    closed = true;
    available.notify_all();
  }
  one.join();
  two.join();
}
