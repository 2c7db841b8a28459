// heddle: expect=assertion budget=50
// Two deposits to an account in floating point, each of which reads and writes it under the lock, but lets it go in between.
#include <heddle/heddle.h>

#include <cassert>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(lost_deposit) {
  std::mutex m;
  double balance = 0;
  float fee = 0.25f;
  const auto deposit = [&] {
    std::unique_lock lock(m);
    const double before = balance;
    const float part = fee < 0.5f ? 1.0f : 0.5f;
#ifndef FIXED
    lock.unlock();
    lock.lock();
#endif
    balance = before + part;
  };
  std::thread one(deposit), two(deposit);
  one.join();
  two.join();
  assert(balance > 1.5);
}
