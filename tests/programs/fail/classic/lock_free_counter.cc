// heddle: expect=assertion budget=3000
// Statistics in two words that a snapshot reads one after the other: their sum must be even, says the checker.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

HEDDLE_FUZZ_TEST(lock_free_counter) {
  std::atomic<unsigned long> both{0};
  std::atomic<unsigned> sent{0}, received{0};
  auto transfer = [&] {
#ifdef FIXED
    both += (1ul << 32) + 1;
#else
    ++sent;
    ++received;
#endif
  };
  std::thread one(transfer), two(transfer);
#ifdef FIXED
  const unsigned long seen = both;
  assert((seen >> 32) == (seen & 0xFFFFFFFF));
#else
  const unsigned r = received, s = sent;
  assert(s - r < 2);
#endif
  one.join();
  two.join();
}
