// heddle: expect=deadlock budget=500
// The destructor of a thread_local needs a lock that the joining thread may hold.
#include <heddle/heddle.h>

#include <mutex>
#include <thread>

namespace {
std::mutex statistics;
int total;

struct Local {
  int n = 0;
  ~Local() {
    std::lock_guard lock(statistics);
    total += n;
  }
};
thread_local Local local;
}  // namespace

HEDDLE_FUZZ_TEST(local_destructor) {
  std::thread worker([] { ++local.n; });
#ifdef FIXED
  worker.join();
  std::lock_guard lock(statistics);
#else
  std::lock_guard lock(statistics);
  if (total == 0) worker.join();
  else worker.detach();
#endif
  if (total > 1) __builtin_trap();
  if (worker.joinable()) worker.join();
}
