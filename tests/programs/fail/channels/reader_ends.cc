// heddle: expect=blocked_threads budget=500
// The reader of a pipeline gives up, and leaves all stages before it waiting: the one that sends to it is the cause.
#include <heddle/csp.h>

#include <atomic>

HEDDLE_FUZZ_TEST(reader_ends) {
  const heddle::chan<int> in = heddle::make_chan<int>(), middle = heddle::make_chan<int>(), out = heddle::make_chan<int>();
  std::atomic<bool> failed{false};
  heddle::wait_group all;
  const auto stage = [&](const heddle::chan<int>& from, const heddle::chan<int>& to) {
    all.go([=] {
      for (int v : from) to.send(v);
      to.close();
    });
  };
  all.go([&] {
    for (int v : out) {
      (void)v;
#ifndef FIXED
      if (failed) return;
#endif
    }
  });
  stage(middle, out);
  stage(in, middle);
  all.go([&] {
    for (int i = 0; i < 4; ++i) in.send(i);
    in.close();
  });
  failed = true;
  all.wait();
}
