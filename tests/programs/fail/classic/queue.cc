// heddle: expect=assertion budget=3000
// A queue whose size is stored separately, under another lock.
#include <heddle/heddle.h>

#include <cassert>
#include <deque>
#include <mutex>
#include <thread>

namespace {
std::mutex items_lock, size_lock;
std::deque<int> items;
int size;

void enqueue(int v) {
#ifdef FIXED
  std::lock_guard both(size_lock);
#endif
  {
    std::lock_guard lock(items_lock);
    items.push_back(v);
  }
#ifndef FIXED
  std::lock_guard lock(size_lock);
#endif
  ++size;
}

void dequeue() {
  {
    std::lock_guard lock(size_lock);
#ifdef FIXED
    std::lock_guard inner(items_lock);
    assert(static_cast<int>(items.size()) == size);
    if (size == 0) return;
    --size;
    items.pop_front();
    return;
#else
    if (size == 0) return;
#endif
  }
#ifndef FIXED
  std::lock_guard lock(items_lock);
  assert(!items.empty());
  items.pop_front();
  std::lock_guard inner(size_lock);
  --size;
#endif
}
}  // namespace

HEDDLE_FUZZ_TEST(queue) {
  items.clear();
  std::thread producer([] { enqueue(1); });
  std::thread one(dequeue), two(dequeue);
  producer.join();
  one.join();
  two.join();
  std::deque<int>().swap(items);
}
