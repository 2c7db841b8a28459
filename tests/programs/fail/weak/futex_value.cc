// heddle: expect=assertion options=memory=rc11 budget=4000
// A futex word that changes relaxed: who leaves the wait because of the new value can miss what came before it. (FIXED: release.) In both: the
// kernel has seen the newest value, so the thread reads nothing older from then on.
#include <heddle/heddle.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cerrno>
#include <cstdint>
#include <thread>

#ifdef FIXED
constexpr auto kStore = std::memory_order_release;
#else
constexpr auto kStore = std::memory_order_relaxed;
#endif

std::atomic<uint32_t> word;
std::atomic<int> message;

HEDDLE_FUZZ_TEST(futex_value) {
  word = 0;
  message = 0;
  std::thread writer([] {
    message.store(1, std::memory_order_relaxed);
    word.store(1, kStore);
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
  });
  if (syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, nullptr, nullptr, 0) == -1 && errno == EAGAIN) {
    if (word.load(std::memory_order_relaxed) != 1) __builtin_trap();
    assert(message.load(std::memory_order_relaxed) == 1);
  }
  writer.join();
}
