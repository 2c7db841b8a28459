// heddle: expect=assertion budget=1000
// The section to be interleaved is only there if the thread wins the once: the way to it has to be replayed.
#include <heddle/csp.h>

#include <cassert>
#include <mutex>

namespace {
std::mutex m, n;
int under_m, under_n;

[[maybe_unused]] int read_m() {
  const std::lock_guard lock(m);
  return under_m;
}
}  // namespace

HEDDLE_FUZZ_TEST(once_section) {
  static heddle::once o;
  heddle::wait_group all;
  all.go([] {
    o.call([] {
      const std::lock_guard lock(m);
      ++under_m;
    });
  });
  all.go([] {
#ifdef FIXED
    const std::lock_guard lock(m);
    const int first = under_m, second = under_m;
#else
    const int first = read_m(), second = read_m();
#endif
    assert(first == second);
  });
  o.call([] {
    const std::lock_guard lock(n);
    ++under_n;
  });
  all.wait();
  assert(read_m() + under_n == 1);
}
