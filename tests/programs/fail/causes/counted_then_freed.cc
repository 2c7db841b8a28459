// heddle: expect=heap-use-after-free budget=3000
// As in a cache: the reader takes its reference after the lock is given back. The order of the later locks and frees
// follows.
#include <heddle/heddle.h>

#include <atomic>
#include <mutex>
#include <thread>

namespace {
struct Entry {
  std::atomic<int> references{1};
  int value = 1;
};
struct Cache {
  std::mutex m;
  Entry* entry = new Entry;
  std::mutex log;
  int lines = 0;
};

void give_back(Cache& c, Entry* e) {
  {
    std::lock_guard lock(c.log);
    ++c.lines;
  }
  if (--e->references == 0) delete e;
}
int read(Cache& c) {
  Entry* e;
  {
    std::lock_guard lock(c.m);
    e = c.entry;
#ifdef FIXED
    if (e != nullptr) ++e->references;
#endif
  }
  if (e == nullptr) return 0;
#ifndef FIXED
  ++e->references;
#endif
  const int value = e->value;
  give_back(c, e);
  return value;
}
void evict(Cache& c) {
  Entry* e;
  {
    std::lock_guard lock(c.m);
    e = c.entry;
    c.entry = nullptr;
  }
  give_back(c, e);
}
}  // namespace

HEDDLE_FUZZ_TEST(counted_then_freed) {
  Cache c;
  std::thread reader([&] { read(c); });
  std::thread evicter([&] { evict(c); });
  reader.join();
  evicter.join();
}
