// heddle: expect=blocked_threads budget=500
// One of the ways out does not cancel, and the watcher of the context stays.
#include <heddle/csp.h>

HEDDLE_FUZZ_TEST(not_canceled) {
  const heddle::cancelable work = heddle::with_cancel(heddle::context::background());
  const heddle::chan<int> answer = heddle::make_chan<int>(1);
  const heddle::chan<int> refusal = heddle::make_chan<int>(1);
  heddle::go([ctx = work.ctx] { ctx.done().receive(); });
  heddle::go([answer] { answer.send(1); });
  heddle::go([refusal] { refusal.send(1); });
  if (heddle::select(heddle::on_receive(answer), heddle::on_receive(refusal)) == 0) work.cancel();
#ifdef FIXED
  work.cancel();
#endif
}
