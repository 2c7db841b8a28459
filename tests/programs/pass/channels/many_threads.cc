// heddle: expect=pass runs=100
// Two hundred threads on one channel: nothing is lost, nothing comes twice.
#include <heddle/csp.h>

#include <cassert>
#include <numeric>
#include <vector>

HEDDLE_FUZZ_TEST(many_threads) {
  constexpr int kThreads = 100;
  const heddle::chan<int> c = heddle::make_chan<int>(3);
  std::vector<int> got(kThreads);
  heddle::wait_group all;
  for (int i = 0; i < kThreads; ++i) {
    all.go([c, i] { c.send(i); });
    all.go([c, &got, i] { got[static_cast<size_t>(i)] = *c.receive(); });
  }
  all.wait();
  assert(std::accumulate(got.begin(), got.end(), 0) == kThreads * (kThreads - 1) / 2);
}
