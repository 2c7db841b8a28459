// heddle: expect=send_on_closed_channel budget=200
// The consumer that has had enough closes the channel: only the sender may.
#include <heddle/csp.h>

HEDDLE_FUZZ_TEST(send_on_closed) {
  const heddle::chan<int> jobs = heddle::make_chan<int>(2);
  const heddle::chan<int> enough = heddle::make_chan<int>();
  heddle::wait_group all;
  all.go([=] {
    for (int i = 0; i < 2; ++i) {
#ifdef FIXED
      if (heddle::select(heddle::on_receive(enough), heddle::on_send(jobs, i)) == 0) break;
#else
      jobs.send(i);
#endif
    }
  });
  jobs.receive();
#ifdef FIXED
  enough.close();
#else
  jobs.close();
#endif
  all.wait();
}
