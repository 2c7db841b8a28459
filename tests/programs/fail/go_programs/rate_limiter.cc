// heddle: expect=assertion budget=1000
// Tokens in a channel limit who works at once; resize() replaces the channel under the lock. A
// worker gives its token back to the channel that it finds then.
#include <heddle/csp.h>

#include <atomic>
#include <cassert>
#include <mutex>

namespace {
struct Limiter {
  std::mutex m;
  heddle::chan<int> tokens = heddle::make_chan<int>(2);

  heddle::chan<int> current() {
    const std::lock_guard lock(m);
    return tokens;
  }
  void resize(int most) {
    const std::lock_guard lock(m);
    tokens = heddle::make_chan<int>(most);
  }
};
}  // namespace

HEDDLE_FUZZ_TEST(rate_limiter) {
  Limiter limiter;
  heddle::wait_group all;
  for (int w = 0; w < 2; ++w) {
    all.go([&limiter] {
      for (int round = 0; round < 2; ++round) {
        const auto mine = limiter.current();
        mine.send(1);
#ifdef FIXED
        const auto& from = mine;
#else
        const auto from = limiter.current();
#endif
        const bool had = heddle::select(heddle::on_receive(from), heddle::otherwise()) == 0;
        assert(had);
      }
    });
  }
  all.go([&limiter] { limiter.resize(3); });
  all.wait();
}
