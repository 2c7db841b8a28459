// heddle: expect=heap-use-after-free budget=1000
// The configuration is looked up under the lock and used outside of it. The thread that replaces it gets the old memory for the new one, so a thread that
// comes late finds sound values there.
#include <heddle/heddle.h>

#include <mutex>
#include <thread>

namespace {
struct Config {
  int depth = 3, width = 4;
  char name[200];
};
Config* config;
std::mutex m;

void reload() {
  std::lock_guard lock(m);
  delete config;
  config = new Config;
}

int area() {
  std::unique_lock lock(m);
  Config* const mine = config;
#ifndef FIXED
  lock.unlock();
#endif
  return mine->depth * mine->width;
}
}  // namespace

HEDDLE_FUZZ_TEST(reused_by_freer) {
  config = new Config;
  std::thread other(reload);
  volatile int seen = area();
  (void)seen;
  other.join();
  delete config;
}
