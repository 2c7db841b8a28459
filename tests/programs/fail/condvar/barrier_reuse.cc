// heddle: expect=assertion|blocked_threads|deadlock|lost_wakeup budget=3000
// A barrier that resets its count when the last one leaves: a fast thread comes round again before that.
#include <heddle/heddle.h>

#include <condition_variable>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(barrier_reuse) {
  std::mutex m;
  std::condition_variable turned;
  int arrived = 0;
  [[maybe_unused]] int phase = 0;
  auto meet = [&] {
    std::unique_lock lock(m);
#ifdef FIXED
    const int mine = phase;
    if (++arrived == 2) {
      arrived = 0;
      ++phase;
      turned.notify_all();
    } else {
      turned.wait(lock, [&] { return phase != mine; });
    }
#else
    if (++arrived == 2) {
      turned.notify_all();
    } else {
      turned.wait(lock, [&] { return arrived == 2; });
      arrived = 0;
    }
#endif
  };
  std::thread other([&] { meet(); meet(); });
  meet();
  meet();
  other.join();
}
