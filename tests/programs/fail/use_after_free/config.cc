// heddle: expect=heap-use-after-free budget=1000
// A plain pointer is taken and used in two steps, and freed in between: seen without AddressSanitizer.
#include <heddle/heddle.h>

#include <mutex>
#include <thread>

namespace {
struct Config {
  int depth = 3, width = 4;
};
Config* volatile config;
[[maybe_unused]] std::mutex m;
}  // namespace

HEDDLE_FUZZ_TEST(config) {
  config = new Config;
  std::thread reload([] {
#ifdef FIXED
    std::lock_guard lock(m);
#endif
    Config* old = config;
    config = new Config;
    delete old;
  });
  {
#ifdef FIXED
    std::lock_guard lock(m);
#endif
    Config* mine = config;
    volatile int area = mine->depth * mine->width;
    (void)area;
  }
  reload.join();
  delete config;
}
