// heddle: expect=assertion budget=3000
// The Bluetooth driver: a request passes the check "not stopping", and the driver is stopped before it counts itself in.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

namespace {
struct Driver {
  std::atomic<int> pending_io{1};
  std::atomic<bool> stopping{false}, stop_event{false}, stopped{false};

  bool enter() {
#ifdef FIXED
    ++pending_io;
    if (stopping) {
      leave();
      return false;
    }
#else
    if (stopping) return false;
    ++pending_io;
#endif
    return true;
  }
  void leave() {
    if (--pending_io == 0) stop_event = true;
  }
  void stop() {
    stopping = true;
    leave();
    while (!stop_event) std::this_thread::yield();
    stopped = true;
  }
};
}  // namespace

HEDDLE_FUZZ_TEST(bluetooth) {
  Driver driver;
  std::thread stopper([&] { driver.stop(); });
  if (driver.enter()) {
    assert(!driver.stopped);
    driver.leave();
  }
  stopper.join();
}
