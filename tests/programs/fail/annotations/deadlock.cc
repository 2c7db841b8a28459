// heddle: expect=deadlock budget=1000
// Two annotated locks in opposite orders: the threads sleep in the kernel, and the report says for which lock.
#include <heddle/heddle.h>

#include <mutex>
#include <thread>

#include "../../fail/annotations/futex_lock.h"

HEDDLE_FUZZ_TEST(deadlock) {
  FutexLock a, b;
  std::thread one([&] {
    std::lock_guard first(a);
    std::lock_guard second(b);
  });
  std::thread two([&] {
#ifdef FIXED
    std::lock_guard first(a);
    std::lock_guard second(b);
#else
    std::lock_guard first(b);
    std::lock_guard second(a);
#endif
  });
  one.join();
  two.join();
}
