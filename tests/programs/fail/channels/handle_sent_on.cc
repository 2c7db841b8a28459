// heddle: expect=data_race budget=200 options=report_races=1
// The channel is in a field that one thread fills, and that the other uses without asking whether it is filled.
#include <heddle/csp.h>

HEDDLE_FUZZ_TEST(handle_sent_on) {
  heddle::chan<int> ready;
  heddle::chan<void> filled = heddle::make_chan<void>();
  heddle::wait_group all;
  all.go([&] {
    ready = heddle::make_chan<int>(1);
    filled.close();
  });
#ifdef FIXED
  filled.receive();
#endif
  ready.try_send(1);
  all.wait();
}
