// heddle: expect=blocked_threads budget=500
// After cockroach#18101: the consumer leaves when its context is over; the producer still fills a bounded channel.
#include <heddle/csp.h>

HEDDLE_FUZZ_TEST(canceled_consumer) {
  const heddle::cancelable restore = heddle::with_cancel(heddle::context::background());
  const heddle::chan<int> ready = heddle::make_chan<int>(1);
  heddle::go([ready, ctx = restore.ctx] {
    for (int i = 0; i < 3; ++i) {
#ifdef FIXED
      if (heddle::select(heddle::on_send(ready, i), heddle::on_receive(ctx.done())) == 1) return;
#else
      ready.send(i);
#endif
    }
  });
  heddle::go([cancel = restore.cancel] { cancel(); });
  for (int i = 0; i < 3; ++i) {
    if (heddle::select(heddle::on_receive(ready), heddle::on_receive(restore.ctx.done())) == 1) break;
  }
}
