// heddle: expect=assertion budget=3000
// A sequence lock whose reader forgets to check the number again.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

HEDDLE_FUZZ_TEST(seqlock) {
  std::atomic<unsigned> sequence{0};
  std::atomic<int> x{0}, y{0};
  std::thread writer([&] {
    for (int i = 1; i <= 2; ++i) {
      ++sequence;
      x = i;
      y = i;
      ++sequence;
    }
  });
  for (int attempt = 0; attempt < 3; ++attempt) {
    const unsigned before = sequence;
    if (before % 2 != 0) continue;
    const int a = x, b = y;
#ifdef FIXED
    if (sequence != before) continue;
#endif
    assert(a == b);
  }
  writer.join();
}
