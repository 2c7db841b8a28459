// heddle: expect=blocked_threads budget=500
// The worker checks its context, and then sends without it. If the context is cancelled in between, no thread receives any more.
#include <heddle/csp.h>

HEDDLE_FUZZ_TEST(canceled_worker) {
  const heddle::cancelable work = heddle::with_cancel(heddle::context::background());
  const heddle::chan<int> results = heddle::make_chan<int>();
  heddle::go([results, ctx = work.ctx] {
    for (int i = 0; ctx.error() == heddle::context_error::none; ++i) {
#ifdef FIXED
      heddle::select(heddle::on_send(results, i), heddle::on_receive(ctx.done()));
#else
      results.send(i);
#endif
    }
  });
  results.receive();
  work.cancel();
}
