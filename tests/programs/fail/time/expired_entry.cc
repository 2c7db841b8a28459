// heddle: expect=heap-use-after-free budget=20000
// A cache whose entries expire. Nobody sleeps: a look-up and the purge only compare clocks. The entry is still good when it is looked up, and
// has expired when the other thread purges.
#include <heddle/heddle.h>

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace {

using Clock = std::chrono::steady_clock;

struct Entry {
  std::string value;
  Clock::time_point expires;
};

class Cache {
 public:
  void put(int key, std::string value) {
    std::lock_guard guard(mutex_);
    entries_[key] = std::make_shared<Entry>(Entry{std::move(value), Clock::now() + std::chrono::minutes(5)});
  }
#ifdef FIXED
  std::shared_ptr<Entry> get(int key) {
#else
  Entry* get(int key) {
#endif
    std::lock_guard guard(mutex_);
    const auto at = entries_.find(key);
    if (at == entries_.end() || at->second->expires < Clock::now()) return nullptr;
#ifdef FIXED
    return at->second;
#else
    return at->second.get();
#endif
  }
  void purge() {
    std::lock_guard guard(mutex_);
    const auto now = Clock::now();
    std::erase_if(entries_, [&](const auto& e) { return e.second->expires < now; });
  }

 private:
  std::mutex mutex_;
  std::map<int, std::shared_ptr<Entry>> entries_;
};

}  // namespace

HEDDLE_FUZZ_TEST(expired_entry) {
  Cache cache;
  cache.put(1, "a value that does not fit into the string itself");
  std::thread cleaner([&] { cache.purge(); });
  if (const auto entry = cache.get(1)) {
    if (entry->value.size() < 5) std::abort();
  }
  cleaner.join();
}
