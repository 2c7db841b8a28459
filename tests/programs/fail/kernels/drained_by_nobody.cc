// heddle: expect=blocked_threads budget=500
// After cockroach#10790: on cancellation a drainer is started, but no thread may send the answers that it waits for.
#include <heddle/csp.h>

HEDDLE_FUZZ_TEST(drained_by_nobody) {
  const heddle::cancelable request = heddle::with_cancel(heddle::context::background());
  const heddle::chan<int> replies = heddle::make_chan<int>(2);
  heddle::go([replies, ctx = request.ctx] {
    for (int i = 0; i < 2; ++i) {
#ifdef FIXED
      replies.send(i);
#else
      if (ctx.error() != heddle::context_error::none) return;
      replies.send(i);
#endif
    }
  });
  heddle::go([cancel = request.cancel] { cancel(); });
  int got = 0;
  bool canceled = false;
  while (got < 2 && !canceled) {
    heddle::select(heddle::on_receive(replies, [&](auto) { ++got; }),
                   heddle::on_receive(request.ctx.done(), [&](auto) { canceled = true; }));
  }
  if (canceled) {
    heddle::go([replies, got] {
      for (int i = got; i < 2; ++i) replies.receive();
    });
  }
}
