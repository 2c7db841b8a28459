// heddle: expect=blocked_threads budget=500
// The receiver may see the stop before it has taken the second value. The report calls the channel by the variable that holds it.
#include <heddle/csp.h>

#include <atomic>

namespace {
heddle::chan<int> jobs;
}  // namespace

HEDDLE_FUZZ_TEST(global_channel) {
  jobs = heddle::make_chan<int>();
  std::atomic<bool> stopped{false};
  heddle::wait_group all;
  all.go([&] {
    jobs.receive();
#ifndef FIXED
    if (stopped) return;
#endif
    jobs.receive();
  });
  all.go([&] {
    jobs.send(1);
    jobs.send(2);
  });
  stopped = true;
  all.wait();
  jobs = {};
}
