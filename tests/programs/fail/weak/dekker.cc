// heddle: expect=assertion options=memory=rc11 budget=2000
// Dekker's flags with release and acquire: both threads can read the other's flag as it was before. (FIXED: seq_cst.)
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

#ifdef FIXED
constexpr auto kStore = std::memory_order_seq_cst, kLoad = std::memory_order_seq_cst;
#else
constexpr auto kStore = std::memory_order_release, kLoad = std::memory_order_acquire;
#endif

std::atomic<int> flag_of[2], inside;

void enter(int me) {
  flag_of[me].store(1, kStore);
  if (flag_of[1 - me].load(kLoad) != 0) return;
  assert(++inside == 1);
  --inside;
}

HEDDLE_FUZZ_TEST(dekker) {
  for (auto& flag : flag_of) flag = 0;
  inside = 0;
  std::thread one(enter, 0), other(enter, 1);
  one.join();
  other.join();
}
