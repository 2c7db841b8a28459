// heddle: expect=deadlock budget=2000
// Two locks in opposite orders, where one of the two orders is taken only after a rare meeting: the
// second thread has to see a value that the first one shows for a moment.
#include <heddle/heddle.h>

#include <atomic>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(rare_nesting) {
  std::mutex a, b;
  std::atomic<int> stage{0};
  std::thread one([&] {
    stage = 1;
    stage = 2;
    std::lock_guard first(a);
    std::lock_guard second(b);
  });
  std::thread two([&] {
    if (stage == 1) {
#ifdef FIXED
      std::lock_guard first(a);
      std::lock_guard second(b);
#else
      std::lock_guard first(b);
      std::lock_guard second(a);
#endif
    } else {
      std::lock_guard first(a);
      std::lock_guard second(b);
    }
  });
  one.join();
  two.join();
}
