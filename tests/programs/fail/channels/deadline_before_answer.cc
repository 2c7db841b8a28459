// heddle: expect=assertion budget=500
// Both the answer and the deadline of a child's parent can be there: the select takes either.
#include <heddle/csp.h>

#include <cassert>
#include <chrono>

using namespace std::chrono_literals;

HEDDLE_FUZZ_TEST(deadline_before_answer) {
  const heddle::cancelable outer = heddle::with_timeout(heddle::context::background(), 10ms);
  const heddle::cancelable inner = heddle::with_timeout(outer.ctx, 1h);
  const heddle::chan<int> answer = heddle::make_chan<int>(1);
  heddle::go([answer] {
    heddle::after(10ms).receive();
    answer.send(1);
  });
  int got = 0;
  heddle::select(heddle::on_receive(answer, [&](auto v) { got = *v; }), heddle::on_receive(inner.ctx.done()));
#ifdef FIXED
  assert(got == 1 || inner.ctx.error() == heddle::context_error::deadline_exceeded);
#else
  assert(got == 1);
#endif
}
