// A lock of four bytes, and the wait of a thread until another one has served it. Operations on
// real threads use them. Nothing here runs under control.
#ifndef HEDDLE_DETAIL_PARKING_H_
#define HEDDLE_DETAIL_PARKING_H_

#include <heddle/detail/hooks.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cstdint>

namespace heddle::detail::real {

// Returns when woken, when `*word` is not `expected`, when `deadline` (of the steady clock) has
// passed, or spuriously.
inline void futex_wait(uint32_t* word, uint32_t expected, uint64_t deadline = HEDDLE_NEVER) {
  timespec until;
  until.tv_sec = static_cast<time_t>(deadline / 1'000'000'000);
  until.tv_nsec = static_cast<long>(deadline % 1'000'000'000);
  syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, expected,
          deadline == HEDDLE_NEVER ? nullptr : &until, nullptr, FUTEX_BITSET_MATCH_ANY);
}

// `word` is only an address: the object there may already be destroyed. A thread that waits on new
// memory at that address gets a spurious wake-up.
inline void futex_wake(const void* word, int threads) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, threads);
}

inline void pause_briefly() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

inline uint64_t now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(t.tv_nsec);
}

[[noreturn]] inline void block_for_ever() {
  uint32_t word = 0;
  for (;;) futex_wait(&word, 0);
}

// A mutex after U. Drepper, "Futexes are tricky", mutex 2, with a short spin, because its critical
// sections take some ten nanoseconds. All zero means free, so that it can be in cleared memory.
struct Lock {
  uint32_t word;  // 0: free, 1: locked, 2: locked, and a thread may sleep

  void lock() {
    uint32_t free = 0;
    if (!__atomic_compare_exchange_n(&word, &free, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      wait();
  }
  void unlock() {
    if (__atomic_exchange_n(&word, 0, __ATOMIC_RELEASE) == 2) futex_wake(&word, 1);
  }

 private:
  static constexpr int kSpins = 40;

  [[gnu::noinline]] void wait() {
    for (int i = 0; i < kSpins; ++i) {
      uint32_t free = 0;
      if (__atomic_load_n(&word, __ATOMIC_RELAXED) == 0 &&
          __atomic_compare_exchange_n(&word, &free, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
        return;
      }
      pause_briefly();
    }
    while (__atomic_exchange_n(&word, 2, __ATOMIC_ACQUIRE) != 0) futex_wait(&word, 2);
  }
};

// One thread that waits until one of its cases is taken. The object is on that thread's stack. The
// thread that has claimed it can use it until serve().
struct Waiting {
  static constexpr uint32_t kClaimed = 1, kServed = 2, kParked = 4;

  uint32_t word = 0;
  heddle_channel_case* taken = nullptr;  // set by the claimer; null: check again
  Waiting* next_served = nullptr;

  // True for only one caller, which then must serve.
  bool claim() { return (__atomic_fetch_or(&word, kClaimed, __ATOMIC_ACQ_REL) & kClaimed) == 0; }
  bool claimed() const { return (__atomic_load_n(&word, __ATOMIC_RELAXED) & kClaimed) != 0; }
  // The last use by the claimer.
  void serve() {
    uint32_t* address = &word;
    if ((__atomic_fetch_or(address, kServed, __ATOMIC_ACQ_REL) & kParked) != 0)
      futex_wake(address, 1);
  }

  // True: served. False: the deadline has passed, and no thread will serve it.
  bool park(uint64_t deadline) {
    for (int i = 0; i < kSpins; ++i) {
      if ((__atomic_load_n(&word, __ATOMIC_ACQUIRE) & kServed) != 0) return true;
      pause_briefly();
    }
    uint32_t seen = __atomic_or_fetch(&word, kParked, __ATOMIC_ACQ_REL);
    while ((seen & kServed) == 0) {
      if (deadline != HEDDLE_NEVER && now() >= deadline) {
        if (claim()) return false;
        deadline = HEDDLE_NEVER;
      }
      futex_wait(&word, seen, deadline);
      seen = __atomic_load_n(&word, __ATOMIC_ACQUIRE);
    }
    return true;
  }

 private:
  // Takes about as long as going to sleep.
  static constexpr int kSpins = 100;
};

}  // namespace heddle::detail::real

#endif  // HEDDLE_DETAIL_PARKING_H_
