// heddle: expect=mixed_deadlock|blocked_threads|deadlock budget=1000
// After kubernetes#26980 (which no mode of the original tools finds): pop() holds the lock and waits only for stop. The thread that must let
// main go on needs the lock.
#include <heddle/csp.h>

#include <mutex>
#include <shared_mutex>

HEDDLE_FUZZ_TEST(pop_under_lock) {
  static std::shared_mutex m;
  [[maybe_unused]] static int pending;
  const heddle::chan<int> stop = heddle::make_chan<int>();
  const heddle::chan<int> added = heddle::make_chan<int>();
  heddle::wait_group all;
  all.go([=] {
    const std::shared_lock lock(m);
#ifdef FIXED
    heddle::select(heddle::on_receive(stop), heddle::otherwise());
#else
    heddle::select(heddle::on_receive(stop));
#endif
  });
  all.go([=] {
    const std::unique_lock lock(m);
    ++pending;
    added.close();
  });
  added.receive();
  stop.close();
  all.wait();
}
