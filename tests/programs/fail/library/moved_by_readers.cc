// heddle: expect=assertion budget=3000
// A cache whose look-ups hold a shared lock. They move the entry to the front of a list, which breaks it when two do so at once.
#include <heddle/heddle.h>

#include <cassert>
#include <list>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <unordered_map>

class Cache {
 public:
  void put(int key, int value) {
    const std::unique_lock lock(mutex_);
    entries_.push_front({key, value});
    places_[key] = entries_.begin();
  }
  int get(int key) {
#ifdef FIXED
    const std::unique_lock lock(mutex_);
#else
    const std::shared_lock lock(mutex_);
#endif
    const auto at = places_.find(key);
    if (at == places_.end()) return -1;
    entries_.splice(entries_.begin(), entries_, at->second);
    return at->second->second;
  }
  int count() {
    const std::unique_lock lock(mutex_);
    int n = 0;
    for (auto entry = entries_.begin(); entry != entries_.end() && n < 10; ++entry) ++n;
    return n;
  }

 private:
  std::shared_mutex mutex_;
  std::list<std::pair<int, int>> entries_;  // the latest first
  std::unordered_map<int, std::list<std::pair<int, int>>::iterator> places_;
};

HEDDLE_FUZZ_TEST(moved_by_readers) {
  Cache cache;
  for (int key = 0; key < 3; ++key) cache.put(key, key * key);
  std::thread one([&] { assert(cache.get(0) == 0); });
  std::thread other([&] { assert(cache.get(1) == 1); });
  one.join();
  other.join();
  assert(cache.count() == 3);
}
