// SEATS philosophers, each takes the left fork first; in the fixed version the last one is left-handed.
#include <heddle/heddle.h>

#include <mutex>
#include <thread>
#include <vector>

HEDDLE_FUZZ_TEST(philosophers) {
  std::mutex forks[SEATS];
  int meals[SEATS] = {};
  auto dine = [&](int seat) {
    int first = seat, second = (seat + 1) % SEATS;
#ifdef FIXED
    if (first > second) std::swap(first, second);
#endif
    std::lock_guard one(forks[first]);
    std::lock_guard two(forks[second]);
    ++meals[seat];
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < SEATS; ++i) threads.emplace_back(dine, i);
  for (auto& t : threads) t.join();
}
