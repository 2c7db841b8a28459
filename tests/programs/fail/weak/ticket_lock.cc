// heddle: expect=assertion options=memory=rc11 budget=4000
// A spin lock that is given back relaxed: the next owner can read what was there before the last one's update. (FIXED: release.)
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

#ifdef FIXED
constexpr auto kUnlock = std::memory_order_release;
#else
constexpr auto kUnlock = std::memory_order_relaxed;
#endif

std::atomic<unsigned> next_ticket, serving;
std::atomic<int> count;

void add() {
  const unsigned mine = next_ticket.fetch_add(1, std::memory_order_relaxed);
  while (serving.load(std::memory_order_acquire) != mine) std::this_thread::yield();
  count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  serving.store(mine + 1, kUnlock);
}

HEDDLE_FUZZ_TEST(ticket_lock) {
  next_ticket = serving = 0;
  count = 0;
  std::thread one(add), other(add), third(add);
  one.join();
  other.join();
  third.join();
  assert(count == 3);
}
