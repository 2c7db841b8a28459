// heddle: expect=heap-use-after-free budget=500
// The cache gives out a bare pointer, and evicts the entry. What held the pointer is freed, too.
#include <heddle/heddle.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace {
class Cache {
 public:
  void put(int key, std::string text) {
    std::lock_guard lock(mutex_);
    entries_[key] = std::make_shared<const std::string>(std::move(text));
  }
  std::shared_ptr<const std::string> get(int key) {
    std::lock_guard lock(mutex_);
    return entries_[key];
  }
  void evict(int key) {
    std::lock_guard lock(mutex_);
    entries_.erase(key);
  }

 private:
  std::mutex mutex_;
  std::map<int, std::shared_ptr<const std::string>> entries_;
};
}  // namespace

HEDDLE_FUZZ_TEST(text_of_evicted) {
  Cache cache;
  cache.put(1, "a text that is too long for the string itself");
  std::thread evicter([&] { cache.evict(1); });
#ifdef FIXED
  const auto entry = cache.get(1);
#else
  const std::string* const entry = cache.get(1).get();
#endif
  volatile char sum = 0;
  if (entry != nullptr) {
    for (const char c : *entry) sum = static_cast<char>(sum + c);
  }
  evicter.join();
}
