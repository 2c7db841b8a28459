// heddle: expect=assertion budget=20000
// A lease of thirty seconds, as two jobs take it that try only once. The first one looks at its lease before it writes, and is held up between
// the two.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <ctime>
#include <mutex>
#include <thread>

namespace {

struct Lease {
  std::mutex mutex;
  int owner = 0;
  time_t until = 0;

  bool take(int me) {
    std::lock_guard guard(mutex);
    const time_t now = std::time(nullptr);
    if (owner != 0 && now < until) return false;
    owner = me;
    until = now + 30;
    return true;
  }
  bool mine(int me) {
    std::lock_guard guard(mutex);
    return owner == me && std::time(nullptr) < until;
  }
};

}  // namespace

HEDDLE_FUZZ_TEST(two_owners) {
  Lease lease;
  std::atomic<int> writing{0};
  const auto job = [&](int me) {
    if (!lease.take(me) || !lease.mine(me)) return;
#ifdef FIXED
    writing = me;
    (void)writing.load();
#else
    assert(++writing == 1);
    --writing;
#endif
  };
  std::thread a(job, 1), b(job, 2);
  a.join();
  b.join();
}
