// heddle: expect=double_lock|deadlock budget=50
// A helper takes a lock that its caller may hold already.
#include <heddle/heddle.h>

#include <mutex>
#include <thread>

namespace {
#ifdef FIXED
std::recursive_mutex m;
#else
std::mutex m;
#endif
int balance;

void deposit(int n) {
  std::lock_guard lock(m);
  balance += n;
}
}  // namespace

HEDDLE_FUZZ_TEST(double_lock) {
  std::thread other([] { deposit(1); });
  {
    std::lock_guard lock(m);
    if (balance == 1) deposit(2);  // only when the other one came first
  }
  other.join();
}
