// heddle: expect=heap-use-after-free budget=1000
// A reference into a map is kept while its entry is erased; the next entry is made in the same memory.
#include <heddle/heddle.h>

#include <map>
#include <mutex>
#include <thread>

namespace {
std::mutex m;
}

HEDDLE_FUZZ_TEST(erased_node) {
  std::map<int, int> balances{{1, 10}, {2, 10}, {3, 10}};
  std::thread other([&] {
    std::lock_guard lock(m);
    balances.erase(2);
    balances.emplace(4, 10);
  });
  {
    std::unique_lock lock(m);
    const auto account = balances.find(2);
    if (account != balances.end()) {
      int& balance = account->second;
#ifndef FIXED
      lock.unlock();
#endif
      balance += 5;
    }
  }
  other.join();
}
