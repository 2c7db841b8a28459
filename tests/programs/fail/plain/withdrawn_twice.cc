// heddle: expect=assertion budget=200
// The balance is checked and reduced under one lock, but in two critical sections.
#include <heddle/heddle.h>

#include <cassert>
#include <mutex>
#include <thread>

namespace {
std::mutex m;
int balance;

void withdraw(int amount) {
  {
    const std::lock_guard lock(m);
    if (balance < amount) return;
#ifdef FIXED
    balance -= amount;
#endif
  }
#ifndef FIXED
  const std::lock_guard lock(m);
  balance -= amount;
#endif
}
}  // namespace

HEDDLE_FUZZ_TEST(withdrawn_twice) {
  balance = 10;
  std::thread one(withdraw, 7), two(withdraw, 7);
  one.join();
  two.join();
  assert(balance >= 0);
}
