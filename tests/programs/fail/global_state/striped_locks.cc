// heddle: expect=deadlock budget=200
// Accounts share a few locks, chosen by a hash of where the account lies. Which two accounts have locks in different orders hangs on the addresses of variables.
#include <heddle/heddle.h>

#include <cstdint>
#include <mutex>
#include <thread>
#include <utility>

namespace {

constexpr unsigned kAccounts = 12, kStripes = 4;

struct Account {
  int balance;
  char name[60];
};
Account accounts[kAccounts];
std::mutex stripes[kStripes];

unsigned stripe_of(const void* p) { return static_cast<unsigned>(reinterpret_cast<uintptr_t>(p) * 0x9E3779B97F4A7C15ull >> 60) % kStripes; }

void transfer(Account& from, Account& to) {
  unsigned first = stripe_of(&from), second = stripe_of(&to);
#ifdef FIXED
  if (first > second) std::swap(first, second);
#endif
  std::lock_guard one(stripes[first]);
  std::unique_lock<std::mutex> two;
  if (second != first) two = std::unique_lock(stripes[second]);
  --from.balance;
  ++to.balance;
}

}  // namespace

HEDDLE_FUZZ_TEST(striped_locks) {
  std::thread forth([] {
    for (unsigned i = 0; i < kAccounts; i += 4) transfer(accounts[i], accounts[i + 1]);
  });
  std::thread back([] {
    for (unsigned i = 0; i < kAccounts; i += 3) transfer(accounts[i + 1], accounts[i]);
  });
  forth.join();
  back.join();
}
