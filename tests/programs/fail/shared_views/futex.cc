// heddle: expect=blocked-threads budget=500
// A flag that is waited for through one view of its memory and set through the other one. Who sets it without waking leaves the other asleep.
#include <heddle/heddle.h>
#include <linux/futex.h>

#include <atomic>
#include <climits>
#include <thread>

#include "views.h"

HEDDLE_FUZZ_TEST(futex) {
  Views<std::atomic<int>> flag;
  std::thread waiter([&] {
    while (flag.of[0]->load() == 0) syscall(SYS_futex, flag.of[0], FUTEX_WAIT, 0, nullptr, nullptr, 0);
  });
  flag.of[1]->store(1);
#ifdef FIXED
  syscall(SYS_futex, flag.of[1], FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
#endif
  waiter.join();
}
