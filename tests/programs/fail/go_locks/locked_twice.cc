// heddle: expect=deadlock budget=100
// A thread locks a mutex that it has locked itself, and no other thread unlocks it.
#include <heddle/mutex.h>

namespace {

heddle::mutex lock;
int value;

int get() {
#ifndef FIXED
  const std::lock_guard guard(lock);
#endif
  return value;
}

}  // namespace

HEDDLE_FUZZ_TEST(locked_twice) {
  const std::lock_guard guard(lock);
  value = get() + 1;
}
