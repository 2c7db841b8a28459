// heddle: expect=assertion budget=500
// Two workers between two channels: results overtake each other.
#include <heddle/csp.h>

#include <cassert>

HEDDLE_FUZZ_TEST(pipeline_order) {
  const heddle::chan<int> in = heddle::make_chan<int>(2);
  const heddle::chan<int> out = heddle::make_chan<int>(2);
  heddle::wait_group workers;
#ifdef FIXED
  constexpr int kWorkers = 1;
#else
  constexpr int kWorkers = 2;
#endif
  for (int w = 0; w < kWorkers; ++w) {
    workers.go([=] {
      for (int v : in) out.send(v * 10);
    });
  }
  in.send(1), in.send(2);
  in.close();
  assert(*out.receive() == 10);
  assert(*out.receive() == 20);
  workers.wait();
}
