// heddle: expect=deadlock budget=1000
// The same with a function-local static, whose guard is the second lock.
#include <heddle/heddle.h>

#include <mutex>
#include <thread>

namespace {
std::mutex m;

struct Registry {
  int entries;
  explicit Registry(bool locked) {
    std::unique_lock lock(m, std::defer_lock);
    if (!locked) lock.lock();
    entries = 1;
  }
};

Registry& registry(bool locked) {
  static Registry instance(locked);
  return instance;
}
}  // namespace

HEDDLE_FUZZ_TEST(static_with_lock) {
  std::thread one([] { registry(false); });
  std::thread two([] {
#ifdef FIXED
    Registry& r = registry(false);
    std::lock_guard lock(m);
#else
    std::lock_guard lock(m);
    Registry& r = registry(true);
#endif
    ++r.entries;
  });
  one.join();
  two.join();
}
