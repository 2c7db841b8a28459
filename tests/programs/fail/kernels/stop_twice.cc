// heddle: expect=double_lock|deadlock|blocked_threads budget=50
// After grpc#795: a way out that forgets to unlock, and a second call that locks again. In every schedule.
#include <heddle/csp.h>

#include <mutex>

namespace {
struct Server {
  std::mutex m;
  bool stopped = false;

  void stop() {
    m.lock();
    if (stopped) {
      m.unlock();
      return;
    }
    stopped = true;
#ifdef FIXED
    m.unlock();
#endif
  }
};
}  // namespace

HEDDLE_FUZZ_TEST(stop_twice) {
  Server server;
  server.stop();
  server.stop();
}
