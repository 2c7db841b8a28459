// heddle: expect=assertion budget=2000
// Deposit and withdrawal each lock; the balance is read and written under different locks.
#include <heddle/heddle.h>

#include <cassert>
#include <mutex>
#include <thread>

namespace {
volatile int balance = 100;
std::mutex m;

int read_balance() {
  std::lock_guard lock(m);
  return balance;
}
void write_balance(int value) {
  std::lock_guard lock(m);
  balance = value;
}
void change(int by) {
#ifdef FIXED
  std::lock_guard lock(m);
  balance = balance + by;
#else
  write_balance(read_balance() + by);
#endif
}
}  // namespace

HEDDLE_FUZZ_TEST(account) {
  std::thread deposit(change, 50), withdraw(change, -30);
  deposit.join();
  withdraw.join();
  assert(read_balance() == 120);
  write_balance(100);
}
