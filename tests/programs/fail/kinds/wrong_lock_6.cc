// heddle: expect=assertion budget=2000
// Six threads count under a lock, and one of them under another one.
#include <heddle/heddle.h>

#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

namespace {
int count;
std::mutex right;
[[maybe_unused]] std::mutex wrong;
}  // namespace

HEDDLE_FUZZ_TEST(wrong_lock_6) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([i] {
#ifdef FIXED
      std::mutex& mine = right;
      (void)i;
#else
      std::mutex& mine = i == 3 ? wrong : right;
#endif
      std::lock_guard lock(mine);
      ++count;
    });
  }
  for (auto& t : threads) t.join();
  assert(count == 6);
}
