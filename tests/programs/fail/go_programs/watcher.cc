// heddle: expect=mixed_deadlock|blocked_threads|deadlock budget=2000
// A store notifies its watcher while it holds the read lock; the watcher answers a change with a
// write. Between them stands a writer.
#include <heddle/csp.h>

#include <shared_mutex>

namespace {
struct Store {
  heddle::rw_mutex m;
  int value = 0;
  heddle::chan<int> changes = heddle::make_chan<int>(1);

  void write(int v) {
    m.lock();
    value = v;
    m.unlock();
  }
  void announce() {
    m.lock_shared();
    const int v = value;
#ifdef FIXED
    m.unlock_shared();
    changes.send(v);
#else
    changes.send(v);
    m.unlock_shared();
#endif
  }
};
}  // namespace

HEDDLE_FUZZ_TEST(watcher) {
  Store store;
  heddle::wait_group all;
  all.go([&] {
    for (int i = 0; i < 3; ++i) {
      const int v = *store.changes.receive();
      if (v % 2 == 1) store.write(v + 1);
    }
  });
  all.go([&] { store.write(1); });
  all.go([&] { store.announce(), store.announce(); });
  store.announce();
  all.wait();
}
