// heddle: expect=blocked_threads budget=500
// After etcd#6857: a status is asked for after the loop that answers has been stopped.
#include <heddle/csp.h>

HEDDLE_FUZZ_TEST(status_after_stop) {
  const heddle::chan<heddle::chan<int>> status = heddle::make_chan<heddle::chan<int>>();
  const heddle::chan<int> stop = heddle::make_chan<int>();
  const heddle::chan<int> done = heddle::make_chan<int>();
  heddle::go([=] {
    for (bool more = true; more;) {
      heddle::select(heddle::on_receive(status, [](auto answer) { answer->send(1); }),
                     heddle::on_receive(stop, [&](auto) { more = false; }));
    }
    done.close();
  });
  heddle::go([=] { stop.close(); });
  const heddle::chan<int> answer = heddle::make_chan<int>(1);
#ifdef FIXED
  if (heddle::select(heddle::on_send(status, answer), heddle::on_receive(done)) == 1) return;
#else
  status.send(answer);
#endif
  answer.receive();
}
