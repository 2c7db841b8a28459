// heddle: expect=close_of_nil_channel budget=1000
// stop() may come before start() has made the channel.
#include <heddle/csp.h>

#include <mutex>

namespace {
struct Server {
  std::mutex m;
  heddle::chan<int> quit;

  void start() {
    const std::lock_guard lock(m);
    quit = heddle::make_chan<int>();
  }
  void stop() {
    const std::lock_guard lock(m);
#ifdef FIXED
    if (!quit) return;
#endif
    quit.close();
  }
};
}  // namespace

HEDDLE_FUZZ_TEST(close_of_nil) {
  Server server;
  heddle::wait_group all;
  all.go([&] { server.start(); });
  server.stop();
  all.wait();
}
