// heddle: expect=assertion budget=1000
// The section to be interleaved is only there if another thread's store comes between a store and a load.
#include <heddle/csp.h>

#include <atomic>
#include <cassert>
#include <mutex>

namespace {
std::mutex m, n;
std::atomic<int> x;
int under_m, under_n;

[[maybe_unused]] int read_m() {
  const std::lock_guard lock(m);
  return under_m;
}
}  // namespace

HEDDLE_FUZZ_TEST(atomic_section) {
  heddle::wait_group all;
  all.go([] { x.store(0); });
  all.go([] {
#ifdef FIXED
    const std::lock_guard lock(m);
    const int first = under_m, second = under_m;
#else
    const int first = read_m(), second = read_m();
#endif
    assert(first == second);
  });
  x.store(1);
  if (x.load() == 0) {
    const std::lock_guard lock(m);
    ++under_m;
  } else {
    const std::lock_guard lock(n);
    ++under_n;
  }
  all.wait();
}
