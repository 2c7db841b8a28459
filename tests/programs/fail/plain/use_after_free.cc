// heddle: expect=heap-use-after-free budget=1000 asan
// A plain pointer is taken and used in two steps, and freed in between.
#include <heddle/heddle.h>

#include <mutex>
#include <thread>

namespace {
int* volatile config;
[[maybe_unused]] std::mutex m;
}  // namespace

HEDDLE_FUZZ_TEST(use_after_free) {
  config = new int(3);
  std::thread reload([] {
#ifdef FIXED
    std::lock_guard lock(m);
#endif
    int* old = config;
    config = new int(4);
    delete old;
  });
  {
#ifdef FIXED
    std::lock_guard lock(m);
#endif
    int* mine = config;
    volatile int value = *mine;
    (void)value;
  }
  reload.join();
  delete config;
}
