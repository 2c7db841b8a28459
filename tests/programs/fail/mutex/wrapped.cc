// heddle: expect=double_lock budget=100
// The lock is wrapped twice, by functions of one line. The SUMMARY names their caller.
#include <heddle/heddle.h>

#include <mutex>
#include <thread>

namespace {
struct Account {
  std::mutex m;
  int balance = 0;

  void enter() { m.lock(); }
  [[gnu::noinline]] void lock() { enter(); }
  [[gnu::noinline]] void unlock() { m.unlock(); }

  [[gnu::noinline]] void deposit(int amount) {
    lock();
    balance += amount;
#ifdef FIXED
    unlock();
#endif
    if (amount > 1) {
      lock();
      balance -= 1;
    }
#ifdef FIXED
    else return;
#endif
    unlock();
  }
};
}  // namespace

HEDDLE_FUZZ_TEST(wrapped) {
  Account account;
  std::thread one([&] { account.deposit(1); }), two([&] { account.deposit(2); });
  one.join();
  two.join();
}
