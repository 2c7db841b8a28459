// heddle: expect=assertion budget=500
// Each thread has a share of the account, whose count is no part of the bug.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

namespace {
struct Account {
  std::atomic<int> balance{0};
};

void deposit(std::shared_ptr<Account> account) {
  const auto mine = account;
#ifdef FIXED
  ++mine->balance;
#else
  const int before = mine->balance;
  mine->balance = before + 1;
#endif
}
}  // namespace

HEDDLE_FUZZ_TEST(shared_account) {
  const auto account = std::make_shared<Account>();
  std::thread one(deposit, account), two(deposit, account);
  one.join();
  two.join();
  assert(account->balance == 2);
}
