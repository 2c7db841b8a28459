// heddle: expect=assertion budget=1000
// Go's wait never wakes spuriously, but another thread may still take what there was first.
#include <heddle/mutex.h>

#include <cassert>
#include <thread>

HEDDLE_FUZZ_TEST(cond_without_loop) {
  heddle::mutex lock;
  heddle::cond filled;
  int tokens = 0;
  const auto take = [&] {
    std::unique_lock guard(lock);
#ifdef FIXED
    while (tokens == 0) filled.wait(guard);
#else
    if (tokens == 0) filled.wait(guard);
#endif
    assert(tokens > 0);
    --tokens;
  };
  std::thread one(take), two(take);
  for (int i = 0; i < 2; ++i) {
    const std::lock_guard guard(lock);
    ++tokens;
    filled.notify_one();
  }
  one.join();
  two.join();
}
