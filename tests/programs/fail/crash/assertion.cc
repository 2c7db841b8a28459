// heddle: expect=assertion budget=300
// An assertion in a thread that main does not wait for yet.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

HEDDLE_FUZZ_TEST(assertion) {
  std::atomic<int> n{0};
  std::thread other([&] {
    [[maybe_unused]] const int seen = n;
#ifdef FIXED
    assert(seen >= 0);
#else
    assert(seen != 1);
#endif
  });
  n = 1;
  n = 2;
  other.join();
}
