// heddle: expect=deadlock|lost_wakeup|blocked_threads budget=2000
// Producer and consumer of one slot, where "full" is waited for and signalled on the wrong variable.
#include <heddle/heddle.h>

#include <condition_variable>
#include <mutex>
#include <thread>

namespace {
std::mutex m;
std::condition_variable empty, full;
int num;

void produce() {
  std::unique_lock lock(m);
  while (num > 0) empty.wait(lock);
  ++num;
#ifdef FIXED
  full.notify_one();
#else
  empty.notify_one();
#endif
}
void consume() {
  std::unique_lock lock(m);
  while (num == 0) full.wait(lock);
  --num;
  empty.notify_one();
}
}  // namespace

HEDDLE_FUZZ_TEST(sync01) {
  std::thread one(produce), two(consume);
  one.join();
  two.join();
}
