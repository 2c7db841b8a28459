// heddle: expect=data_race budget=200 options=report_races=1
// The canceler is stored by the thread that starts the work, and called by another one.
#include <heddle/csp.h>

#include <mutex>

HEDDLE_FUZZ_TEST(context_handle_race) {
  heddle::canceler stop;
  [[maybe_unused]] std::mutex mutex;
  heddle::wait_group all;
  all.go([&] {
    const heddle::cancelable work = heddle::with_cancel(heddle::context::background());
#ifdef FIXED
    const std::lock_guard<std::mutex> lock(mutex);
#endif
    stop = work.cancel;
  });
  {
#ifdef FIXED
    const std::lock_guard<std::mutex> lock(mutex);
#endif
    stop();
  }
  all.wait();
}
