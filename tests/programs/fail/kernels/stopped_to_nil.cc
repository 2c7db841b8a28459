// heddle: expect=blocked_threads budget=500
// After istio#8967: stop() closes the channel and clears the field; a loop that looks at the field only then waits for nil.
#include <heddle/csp.h>

#include <mutex>

namespace {
struct Source {
  std::mutex m;
  heddle::chan<int> stop_channel = heddle::make_chan<int>();

  heddle::chan<int> channel() {
    const std::lock_guard lock(m);
    return stop_channel;
  }
  void stop() {
    const std::lock_guard lock(m);
    stop_channel.close();
    stop_channel = nullptr;
  }
};
}  // namespace

HEDDLE_FUZZ_TEST(stopped_to_nil) {
  Source source;
  heddle::wait_group all;
#ifdef FIXED
  all.go([stop = source.channel()] { heddle::select(heddle::on_receive(stop)); });
#else
  all.go([&] { heddle::select(heddle::on_receive(source.channel())); });
#endif
  source.stop();
  all.wait();
}
