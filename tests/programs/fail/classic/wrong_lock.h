// Two kinds of threads change one number, each kind under a lock of its own.
#include <heddle/heddle.h>

#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

namespace {
volatile int data;
std::mutex data_lock;
[[maybe_unused]] std::mutex thread_lock;

void careful() {
  std::lock_guard lock(data_lock);
  const int before = data;
  data = before + 1;
  assert(data == before + 1);
}
void careless() {
#ifdef FIXED
  std::lock_guard lock(data_lock);
#else
  std::lock_guard lock(thread_lock);
#endif
  data = data + 1;
}
}  // namespace

HEDDLE_FUZZ_TEST(wrong_lock) {
  std::vector<std::thread> threads;
  for (int i = 0; i < PAIRS; ++i) {
    threads.emplace_back(careful);
    threads.emplace_back(careless);
  }
  for (auto& t : threads) t.join();
}
