// heddle: expect=assertion budget=2000 asan
// The library throws for the program, out of a function that may not throw. The thrower's stack is gone when the program ends, and with
// AddressSanitizer the throw itself is the sanitizer's.
#include <heddle/heddle.h>

#include <map>
#include <mutex>
#include <string>
#include <thread>

class Registry {
 public:
  void add(int key, const std::string& name) {
    const std::lock_guard lock(mutex_);
    names_[key] = name;
  }
  size_t length(int key) {
    const std::lock_guard lock(mutex_);
    return names_.at(key).size();
  }

 private:
  std::mutex mutex_;
  std::map<int, std::string> names_;
};

static size_t take(Registry& registry) noexcept { return registry.length(1); }

HEDDLE_FUZZ_TEST(noexcept_map) {
  Registry registry;
  std::thread other([&] { registry.add(1, "one"); });
#ifdef FIXED
  other.join();
#endif
  take(registry);
#ifndef FIXED
  other.join();
#endif
}
