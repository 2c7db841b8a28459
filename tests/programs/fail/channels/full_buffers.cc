// heddle: expect=blocked_threads|deadlock|mixed_deadlock budget=1000
// Two loops send to each other before they receive. One value at a time fits; two threads that are ahead fill both buffers.
#include <heddle/csp.h>

HEDDLE_FUZZ_TEST(full_buffers) {
  const heddle::chan<int> there = heddle::make_chan<int>(1);
  const heddle::chan<int> back = heddle::make_chan<int>(1);
  const auto loop = [](heddle::chan<int> out, heddle::chan<int> in) {
    for (int i = 0; i < 2; ++i) {
      out.send(i);
      out.send(i);
#ifdef FIXED
      if (i == 0) continue;
#endif
      in.receive();
      in.receive();
    }
  };
  heddle::wait_group all;
#ifdef FIXED
  all.go([=] { for (int i = 0; i < 4; ++i) there.send(i), back.receive(); });
  for (int i = 0; i < 4; ++i) back.send(i), there.receive();
  (void)loop;
#else
  all.go(loop, there, back);
  loop(back, there);
#endif
  all.wait();
}
