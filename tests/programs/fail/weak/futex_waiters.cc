// heddle: expect=deadlock|blocked_threads|lost_wakeup options=memory=rc11 budget=4000
// A gate whose opener looks whether anybody waits. Without a full fence it can miss that, while the kernel's compare has missed the opening.
// (FIXED: a seq_cst fence. The kernel has one before its compare.)
#include <heddle/heddle.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <thread>

std::atomic<uint32_t> open_now;
std::atomic<int> waiting;

void pass() {
  waiting.store(1, std::memory_order_relaxed);
  while (open_now.load(std::memory_order_acquire) == 0) syscall(SYS_futex, &open_now, FUTEX_WAIT_PRIVATE, 0, nullptr, nullptr, 0);
}

HEDDLE_FUZZ_TEST(futex_waiters) {
  open_now = 0;
  waiting = 0;
  std::thread other(pass);
  open_now.store(1, std::memory_order_release);
#ifdef FIXED
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
  if (waiting.load(std::memory_order_relaxed) != 0) syscall(SYS_futex, &open_now, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
  other.join();
}
