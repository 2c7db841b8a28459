// heddle: expect=send_on_closed_channel budget=500
// Late results are dropped on purpose: the panic is declared for that send, and for no other.
#include <heddle/csp.h>

HEDDLE_FUZZ_TEST(panic_not_expected) {
  auto results = heddle::make_chan<int>(2);
  auto log = heddle::make_chan<int>(2);
  heddle::wait_group all;
  all.go([results, log] {
    heddle::recover([&] { results.send(1); });
#ifdef FIXED
    heddle::recover([&] { log.send(1); });
#else
    log.send(1);
#endif
  });
  results.close();
  log.close();
  all.wait();
}
