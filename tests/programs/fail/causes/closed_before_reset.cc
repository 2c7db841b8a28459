// heddle: expect=assertion budget=500
// The failing value is written because of a flag that another thread has set: the flag is the cause.
#include <heddle/heddle.h>

#include <cassert>
#include <mutex>
#include <thread>

namespace {
std::mutex mutex;
bool closed;
int resets_after_close;

void reset() {
  std::lock_guard lock(mutex);
#ifdef FIXED
  if (closed) return;
#endif
  if (closed)
    ++resets_after_close;
}
}  // namespace

HEDDLE_FUZZ_TEST(closed_before_reset) {
  std::thread watchdog(reset);
  {
    std::lock_guard lock(mutex);
    closed = true;
  }
  watchdog.join();
  assert(resets_after_close == 0);
}
