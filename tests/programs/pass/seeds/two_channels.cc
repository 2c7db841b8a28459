// heddle: expect=pass runs=1000
// The program of the chains' example: a buffered and an unbuffered channel between two threads. Every order of it is fine.
#include <heddle/csp.h>

#include <cassert>

HEDDLE_FUZZ_TEST(two_channels) {
  const heddle::chan<int> c = heddle::make_chan<int>(3);
  const heddle::chan<int> d = heddle::make_chan<int>();
  heddle::go([c, d] {
    c.send(1);
    d.send(1);
    c.send(1);
  });
  const int sum = *d.receive() + *c.receive() + *c.receive();
  assert(sum == 3);
}
