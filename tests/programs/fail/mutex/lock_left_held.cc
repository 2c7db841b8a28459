// heddle: expect=blocked_threads budget=3000
// A function that locks and unlocks by hand calls map::at(), which throws if the entry has been removed in the meantime. The
// caller handles the exception, and the lock is left held.
#include <heddle/heddle.h>

#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

namespace {
class Registry {
 public:
  void add(const std::string& name, int port) {
    std::lock_guard lock(mutex_);
    ports_[name] = port;
  }
  bool has(const std::string& name) {
    std::lock_guard lock(mutex_);
    return ports_.count(name) != 0;
  }
  int port(const std::string& name) {
#ifdef FIXED
    std::lock_guard lock(mutex_);
    return ports_.at(name);
#else
    mutex_.lock();
    const int port = ports_.at(name);
    mutex_.unlock();
    return port;
#endif
  }
  void remove(const std::string& name) {
    std::lock_guard lock(mutex_);
    ports_.erase(name);
  }

 private:
  std::mutex mutex_;
  std::map<std::string, int> ports_;
};

int connect(Registry& registry, const std::string& name) {
  try {
    if (registry.has(name)) return registry.port(name);
  } catch (const std::out_of_range&) {
  }
  return -1;
}
}  // namespace

HEDDLE_FUZZ_TEST(lock_left_held) {
  Registry registry;
  registry.add("mail", 25);
  registry.add("web", 80);
  std::thread client([&] { connect(registry, "mail"); });
  std::thread admin([&] { registry.remove("mail"); });
  client.join();
  admin.join();
  connect(registry, "web");
}
