// heddle: expect=assertion budget=3000
// The value and its version are updated one after the other; a reader that finds the new version trusts the old value.
#include <heddle/heddle.h>

#include <cassert>
#include <mutex>
#include <thread>

namespace {
std::mutex m;
volatile int version, value;
}  // namespace

HEDDLE_FUZZ_TEST(cache_update) {
  std::thread writer([] {
    for (int i = 1; i <= 3; ++i) {
#ifdef FIXED
      std::lock_guard lock(m);
#endif
      version = i;
      value = i * 10;
    }
  });
  for (int i = 0; i < 3; ++i) {
    std::lock_guard lock(m);
    const int v = version;
    assert(value >= v * 10);
  }
  writer.join();
}
