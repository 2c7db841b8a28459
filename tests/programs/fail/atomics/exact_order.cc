// heddle: expect=assertion budget=300000 seeds=2
// Five threads with two operations each: the bug needs one exact order of all ten, one of 113,400.
#include <assert.h>

#include <atomic>
#include <thread>
#include <vector>

namespace {

constexpr int kOrder[] = {2, 0, 4, 1, 3, 4, 0, 2, 3, 1};
std::atomic<int> step{0};
std::atomic<bool> other{false};

void work(int me) {
  for (int i = 0; i < 2; ++i) {
    if (kOrder[step++] != me) other = true;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) {
  step = 0;
  other = false;
  std::vector<std::thread> threads;
  for (int i = 0; i < 5; ++i) threads.emplace_back(work, i);
  for (std::thread& t : threads) t.join();
#ifndef FIXED
  assert(other);
#endif
  return 0;
}
