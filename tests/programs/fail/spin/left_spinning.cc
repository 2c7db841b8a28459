// heddle: expect=endless_threads budget=2000 seeds=1
// Two workers spin for work until they are told to stop. They are told so by a count of those that have begun, which main reads too early.
#include <heddle/heddle.h>

#include <atomic>
#include <mutex>
#include <thread>

namespace {
std::mutex m;
int begun, to_stop;  // guarded by m

void work() {
  {
    std::lock_guard lock(m);
    ++begun;
  }
  for (;;) {
    {
      std::lock_guard lock(m);
      if (to_stop > 0) {
        --to_stop;
        return;
      }
    }
    std::this_thread::yield();
  }
}
}  // namespace

HEDDLE_FUZZ_TEST(left_spinning) {
  begun = to_stop = 0;
  for (int i = 0; i < 2; ++i) std::thread(work).detach();
  std::lock_guard lock(m);
#ifdef FIXED
  to_stop = 2;
#else
  to_stop = begun;
#endif
}
