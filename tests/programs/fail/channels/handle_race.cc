// heddle: expect=data_race budget=200 options=report_races=1
// A restart replaces the channel in a member while a worker reads that member.
#include <heddle/csp.h>

#include <mutex>

namespace {

struct Server {
  std::mutex mutex;
  heddle::chan<int> jobs = heddle::make_chan<int>(1);

  void restart() {
#ifdef FIXED
    const std::lock_guard<std::mutex> lock(mutex);
#endif
    jobs = heddle::make_chan<int>(1);
  }
  heddle::chan<int> current() {
#ifdef FIXED
    const std::lock_guard<std::mutex> lock(mutex);
#endif
    return jobs;
  }
};

}  // namespace

HEDDLE_FUZZ_TEST(handle_race) {
  Server server;
  heddle::wait_group all;
  all.go([&] { server.current().send(1); });
  all.go([&] { server.restart(); });
  all.wait();
}
