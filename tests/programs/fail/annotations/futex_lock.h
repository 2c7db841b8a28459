// A lock made of an atomic and the futex call. It announces itself with annotations.
#include <linux/futex.h>
#include <sanitizer/tsan_interface.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

class FutexLock {
 public:
  FutexLock() { __tsan_mutex_create(this, __tsan_mutex_not_static); }
  ~FutexLock() { __tsan_mutex_destroy(this, __tsan_mutex_not_static); }

  void lock() {
    __tsan_mutex_pre_lock(this, 0);
    int state = 0;
    if (!word_.compare_exchange_strong(state, 1, std::memory_order_acquire, std::memory_order_relaxed)) {
      if (state != 2) state = word_.exchange(2, std::memory_order_acquire);
      while (state != 0) {
        syscall(SYS_futex, &word_, FUTEX_WAIT_PRIVATE, 2, nullptr);
        state = word_.exchange(2, std::memory_order_acquire);
      }
    }
    __tsan_mutex_post_lock(this, 0, 0);
  }
  void unlock() {
    __tsan_mutex_pre_unlock(this, 0);
    if (word_.exchange(0, std::memory_order_release) == 2) syscall(SYS_futex, &word_, FUTEX_WAKE_PRIVATE, 1);
    __tsan_mutex_post_unlock(this, 0);
  }

 private:
  std::atomic<int> word_{0};
};
