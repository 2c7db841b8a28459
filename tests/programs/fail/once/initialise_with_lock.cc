// heddle: expect=deadlock|blocked_threads budget=1000
// One thread initialises and wants the lock, the other has the lock and wants the initialisation.
#include <heddle/heddle.h>

#include <mutex>
#include <thread>

namespace {
std::mutex m;
std::once_flag once;
int value;

void initialise() {
  std::call_once(once, [] {
    std::lock_guard lock(m);
    value = 1;
  });
}
}  // namespace

HEDDLE_FUZZ_TEST(initialise_with_lock) {
  std::thread one(initialise);
  std::thread two([] {
#ifdef FIXED
    initialise();
#endif
    std::lock_guard lock(m);
#ifndef FIXED
    initialise();
#endif
    if (value == 7) __builtin_trap();
  });
  one.join();
  two.join();
}
