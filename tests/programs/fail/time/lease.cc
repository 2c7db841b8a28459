// heddle: expect=assertion budget=10000
// A lease of ten seconds: the holder looks whether it still has it before it writes, and may be
// held up there for longer than that, while the other one polls.
#include <heddle/heddle.h>
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>
using namespace std::chrono;
struct Store {
  std::mutex m;
  int value = 0, fence = 0, writer = 0;
};
struct Lease {
  std::mutex m;
  int owner = 0, epoch = 0;
  steady_clock::time_point until{};
  bool acquire(int me, int& token) {
    std::lock_guard l(m);
    const auto now = steady_clock::now();
    if (owner != 0 && owner != me && now < until) return false;
    owner = me;
    token = ++epoch;
    until = now + seconds(10);
    return true;
  }
  bool mine(int me) {
    std::lock_guard l(m);
    return owner == me && steady_clock::now() < until;
  }
};
HEDDLE_FUZZ_TEST(lease) {
  Lease lease;
  Store store;
  int newest = 0;
  auto node = [&](int me) {
    int token = 0;
    while (!lease.acquire(me, token)) std::this_thread::sleep_for(milliseconds(200));
    for (int i = 0; i < 2; ++i) {
      if (!lease.mine(me)) return;
      std::lock_guard l(store.m);
#ifdef FIXED
      if (token < newest) return;
#endif
      assert(token >= newest);  // a write of an old epoch after one of a new one
      newest = token;
      store.value += me;
    }
  };
  std::thread a(node, 1), b(node, 2);
  a.join();
  b.join();
}
