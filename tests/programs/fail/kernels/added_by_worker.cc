// heddle: expect=assertion|wait_group_misuse budget=1000
// After cockroach#4407: workers count themselves while stop() waits already.
#include <heddle/csp.h>

#include <atomic>
#include <cassert>

HEDDLE_FUZZ_TEST(added_by_worker) {
  static heddle::wait_group drain;
  static std::atomic<bool> stopped;
  const heddle::chan<int> requests = heddle::make_chan<int>(2);
#ifdef FIXED
  drain.add(1);
#endif
  heddle::go([requests] {
    for ([[maybe_unused]] int r : requests) {
#ifndef FIXED
      drain.add(1);
#endif
      assert(!stopped);
#ifndef FIXED
      drain.done();
#endif
    }
#ifdef FIXED
    drain.done();
#endif
  });
  requests.send(1);
  requests.send(2);
  requests.close();
  drain.wait();
  stopped = true;
}
