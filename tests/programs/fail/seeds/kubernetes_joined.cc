// heddle: expect=mixed_deadlock budget=1000
// As kubernetes, but main waits for all, and the second worker comes later.
#include <heddle/csp.h>

#include <mutex>

HEDDLE_FUZZ_TEST(kubernetes_joined) {
  std::mutex m;
  const heddle::chan<bool> c = heddle::make_chan<bool>();
  heddle::wait_group all;
  const auto worker = [&] {
#ifdef FIXED
    m.lock();
    m.unlock();
    c.send(true);
#else
    m.lock();
    c.send(true);
    m.unlock();
#endif
  };
  all.go([&] {
    for (int i = 0; i < 2; ++i) {
      c.receive();
      m.lock();
      m.unlock();
    }
  });
  all.go(worker);
  all.go(worker);
  all.wait();
}
