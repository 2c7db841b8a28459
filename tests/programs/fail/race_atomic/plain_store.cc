// heddle: expect=data_race budget=200 options=report_races=1
// One side of a flag is atomic, the other is not.
#include <heddle/heddle.h>

#include <thread>

namespace {
int ready;
}

HEDDLE_FUZZ_TEST(plain_store) {
  std::thread other([] {
#ifdef FIXED
    __atomic_store_n(&ready, 1, __ATOMIC_RELAXED);
#else
    ready = 1;
#endif
  });
  (void)__atomic_load_n(&ready, __ATOMIC_ACQUIRE);
  other.join();
}
