// heddle: expect=assertion options=memory=rc11 budget=20000
// A queue lock (Mellor-Crummey and Scott) that is handed over relaxed: the next owner can miss the last one's update. (FIXED: release.)
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

#ifdef FIXED
constexpr auto kHandOver = std::memory_order_release;
#else
constexpr auto kHandOver = std::memory_order_relaxed;
#endif

struct Waiting {
  std::atomic<Waiting*> next{nullptr};
  std::atomic<bool> locked{true};
};
std::atomic<Waiting*> tail;
std::atomic<int> count;
int copy;

void lock(Waiting& me) {
  Waiting* const before = tail.exchange(&me, std::memory_order_acq_rel);
  if (before == nullptr) return;
  before->next.store(&me, std::memory_order_release);
  while (me.locked.load(std::memory_order_acquire)) std::this_thread::yield();
}

void unlock(Waiting& me) {
  Waiting* next = me.next.load(std::memory_order_acquire);
  if (next == nullptr) {
    Waiting* mine = &me;
    if (tail.compare_exchange_strong(mine, nullptr, std::memory_order_release, std::memory_order_relaxed)) return;
    while ((next = me.next.load(std::memory_order_acquire)) == nullptr) std::this_thread::yield();
  }
  next->locked.store(false, kHandOver);
}

void add() {
  Waiting me;
  lock(me);
  count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  ++copy;
  unlock(me);
}

HEDDLE_FUZZ_TEST(mcs_lock) {
  tail = nullptr;
  count = copy = 0;
  std::thread one(add), other(add), third(add);
  one.join();
  other.join();
  third.join();
  assert(count == 3 && copy == 3);
}
