// heddle: expect=deadlock|lost_wakeup|blocked_threads budget=3000
// A pipeline of three stages with one flag and one condition variable per stage; the last stage resets its flag too early.
#include <heddle/heddle.h>

#include <condition_variable>
#include <mutex>
#include <thread>

namespace {
std::mutex m;
std::condition_variable changed;
int ready[3];

void stage(int me) {
  std::unique_lock lock(m);
#ifndef FIXED
  if (me == 2) ready[me] = 0;  // "start clean"
#endif
  changed.wait(lock, [&] { return ready[me] != 0; });
  if (me + 1 < 3) ready[me + 1] = 1;
  changed.notify_all();
}
}  // namespace

HEDDLE_FUZZ_TEST(lost_signal_chain) {
  std::thread t0(stage, 0), t1(stage, 1), t2(stage, 2);
  {
    std::lock_guard lock(m);
    ready[0] = 1;
    changed.notify_all();
  }
  t0.join();
  t1.join();
  t2.join();
}
