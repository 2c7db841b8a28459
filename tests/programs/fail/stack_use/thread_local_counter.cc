// heddle: expect=thread-local-use-after-end budget=500
// Each thread counts in a variable of its own, and lists it. The sum is taken from a copy of the list. Meanwhile a thread can end, and its counter with
// it.
#include <heddle/heddle.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

namespace {

struct Counter;
std::mutex lock;
std::vector<Counter*> listed;

struct Counter {
  Counter() {
    std::lock_guard guard(lock);
    listed.push_back(this);
  }
  ~Counter() {
    std::lock_guard guard(lock);
    listed.erase(std::find(listed.begin(), listed.end(), this));
  }
  std::atomic<int> n{0};
};
thread_local Counter counter;

int sum() {
  int all = 0;
#ifdef FIXED
  std::lock_guard guard(lock);
  for (const Counter* c : listed) all += c->n;
#else
  std::vector<Counter*> copy;
  {
    std::lock_guard guard(lock);
    copy = listed;
  }
  for (const Counter* c : copy) all += c->n;
#endif
  return all;
}

}  // namespace

HEDDLE_FUZZ_TEST(thread_local_counter) {
  std::thread first([] { ++counter.n; });
  std::thread second([] { ++counter.n; });
  sum();
  first.join();
  second.join();
}
