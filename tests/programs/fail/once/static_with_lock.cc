// heddle: expect=deadlock|blocked_threads budget=1000
// The same with a function-local static, whose guard is the second lock.
#include <heddle/heddle.h>

#include <mutex>
#include <thread>

namespace {
std::mutex m;

struct Registry {
  int entries;
  Registry() {
    std::lock_guard lock(m);
    entries = 1;
  }
};

Registry& registry() {
  static Registry instance;
  return instance;
}
}  // namespace

HEDDLE_FUZZ_TEST(static_with_lock) {
  std::thread one([] { registry(); });
  std::thread two([] {
#ifdef FIXED
    Registry& r = registry();
    std::lock_guard lock(m);
#else
    std::lock_guard lock(m);
    Registry& r = registry();
#endif
    ++r.entries;
  });
  one.join();
  two.join();
}
