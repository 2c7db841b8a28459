// heddle: expect=deadlock budget=1000
// Accounts are locked in the order in which a hash table of their addresses has them; one thread trusts that this is the order they were made in.
#include <heddle/heddle.h>

#include <memory>
#include <mutex>
#include <thread>
#include <unordered_set>
#include <vector>

namespace {
struct Account {
  std::mutex m;
  int balance = 10;
};
constexpr int kAccounts = 9;

template <typename Accounts>
void charge(const Accounts& accounts) {
  for (Account* const account : accounts) account->m.lock();
  for (Account* const account : accounts) {
    --account->balance;
    account->m.unlock();
  }
}
}  // namespace

HEDDLE_FUZZ_TEST(locked_by_hash) {
  std::vector<std::unique_ptr<Account>> owners;
  std::vector<std::unique_ptr<char[]>> between;
  std::vector<Account*> in_order;
  std::unordered_set<Account*> known;
  for (int i = 0; i < kAccounts; ++i) {
    owners.push_back(std::make_unique<Account>());
    between.push_back(std::make_unique<char[]>(static_cast<size_t>(20 << i % 7)));
    in_order.push_back(owners.back().get());
    known.insert(owners.back().get());
  }
  std::thread other([&] { charge(known); });
#ifdef FIXED
  charge(known);
#else
  charge(in_order);
#endif
  other.join();
}
