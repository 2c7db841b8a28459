// heddle: expect=crash|SEGV budget=500
// A null pointer, if the other thread is in between.
#include <heddle/heddle.h>

#include <atomic>
#include <thread>

HEDDLE_FUZZ_TEST(null) {
  int value = 3;
  std::atomic<int*> p{&value};
  std::thread other([&] {
    p = nullptr;
    p = &value;
  });
  int* seen = p;
#ifdef FIXED
  if (seen != nullptr)
#endif
    *const_cast<volatile int*>(seen) = 4;
  other.join();
}
