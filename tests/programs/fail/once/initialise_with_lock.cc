// heddle: expect=deadlock budget=1000
// One thread initialises and wants the lock, the other has the lock and wants the initialisation.
#include <heddle/heddle.h>

#include <mutex>
#include <thread>

namespace {
std::mutex m;
std::once_flag once;
int value;

// The lock is needed to initialise, unless the caller has it.
void initialise(bool locked) {
  std::call_once(once, [=] {
    std::unique_lock lock(m, std::defer_lock);
    if (!locked) lock.lock();
    value = 1;
  });
}
}  // namespace

HEDDLE_FUZZ_TEST(initialise_with_lock) {
  std::thread one(initialise, false);
  std::thread two([] {
#ifdef FIXED
    initialise(false);
#endif
    std::lock_guard lock(m);
#ifndef FIXED
    initialise(true);
#endif
    if (value == 7) __builtin_trap();
  });
  one.join();
  two.join();
}
