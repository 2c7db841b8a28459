// heddle: expect=lost_wakeup|blocked_threads|mixed_deadlock|deadlock budget=1000
// After moby#27782: the remover waits for a condition that the reader would signal, and the reader is blocked sending what
// no thread receives any more.
#include <heddle/csp.h>

#include <condition_variable>
#include <mutex>

namespace {
struct Watcher {
  std::mutex m;
  std::condition_variable removed;
  bool gone = false;
  heddle::chan<int> events = heddle::make_chan<int>();
  heddle::chan<int> quit = heddle::make_chan<int>(1);

  void read() {
#ifdef FIXED
    heddle::select(heddle::on_send(events, 1), heddle::on_receive(quit));
#else
    events.send(1);
#endif
    const std::lock_guard lock(m);
    gone = true;
    removed.notify_all();
  }
  void remove() {
    quit.send(1);
    std::unique_lock lock(m);
    removed.wait(lock, [&] { return gone; });
  }
};
}  // namespace

HEDDLE_FUZZ_TEST(wait_for_event) {
  Watcher watcher;
  const heddle::chan<int> stop = heddle::make_chan<int>(1);
  heddle::wait_group all;
  all.go([&] { watcher.read(); });
  all.go([&] { heddle::select(heddle::on_receive(watcher.events), heddle::on_receive(stop)); });
  stop.send(1);
  watcher.remove();
  all.wait();
}
