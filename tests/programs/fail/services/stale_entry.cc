// heddle: expect=assertion budget=3000
// A cache in front of a store: a reader that missed puts an old value into the cache after the writer has emptied it.
#include <heddle/heddle.h>

#include <cassert>
#include <map>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <thread>

class Store {
 public:
  int read(const std::string& key) {
    std::lock_guard lock(mutex_);
    return data_[key];
  }
  void write(const std::string& key, int value) {
    std::lock_guard lock(mutex_);
    data_[key] = value;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, int> data_;
};

class Cache {
 public:
  explicit Cache(Store& store) : store_(store) {}

  int get(const std::string& key) {
    if (auto hit = lookup(key)) return *hit;
#ifdef FIXED
    std::unique_lock lock(mutex_);
    const int value = store_.read(key);
#else
    const int value = store_.read(key);
    std::unique_lock lock(mutex_);
#endif
    entries_[key] = value;
    return value;
  }
  void put(const std::string& key, int value) {
#ifdef FIXED
    std::unique_lock lock(mutex_);
    store_.write(key, value);
#else
    store_.write(key, value);
    std::unique_lock lock(mutex_);
#endif
    entries_.erase(key);
  }

 private:
  std::optional<int> lookup(const std::string& key) {
    std::shared_lock lock(mutex_);
    const auto at = entries_.find(key);
    if (at == entries_.end()) return std::nullopt;
    return at->second;
  }
  Store& store_;
  std::shared_mutex mutex_;
  std::map<std::string, int> entries_;
};

HEDDLE_FUZZ_TEST(stale_entry) {
  Store store;
  Cache cache(store);
  store.write("price", 10);
  std::thread reader([&] { cache.get("price"); });
  std::thread writer([&] { cache.put("price", 12); });
  reader.join();
  writer.join();
  assert(cache.get("price") == 12);
}
