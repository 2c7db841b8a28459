// heddle: expect=assertion budget=1000
// Two candidates for a once, and between them a thousand rendezvous that are no part of it: the second one practically never wins.
#include <heddle/csp.h>

#include <cassert>

namespace {
constexpr int kRuns = 1000;
heddle::once on;
int winner;
}  // namespace

HEDDLE_FUZZ_TEST(once_noise) {
  const heddle::chan<int> c = heddle::make_chan<int>();
  heddle::go([] { on.call([] { winner = 1; }); });
  heddle::go([c] {
    for (int i = 0; i < kRuns; ++i) c.send(1);
  });
  for (int i = 0; i < kRuns; ++i) c.receive();
  on.call([] { winner = 2; });
#ifndef FIXED
  assert(winner == 1);
#endif
}
