// heddle: expect=pass runs=500 options=report_races=1
// Readers, writers and attempts keep each other out as they should; a read lock is given back by another thread; waits at a condition variable end.
#include <heddle/csp.h>
#include <heddle/mutex.h>

#include <cassert>

HEDDLE_FUZZ_TEST(everything) {
  heddle::rw_mutex lock;
  heddle::mutex plain;
  heddle::cond changed;
  int a = 0, b = 0, ready = 0;
  heddle::wait_group all;
  const auto write = [&] {
    ++a;
    ++b;
  };
  all.add(4);
  heddle::go([&] {
    for (int i = 0; i < 2; ++i) {
      lock.lock();
      write();
      lock.unlock();
    }
    all.done();
  });
  heddle::go([&] {
    if (lock.try_lock()) {
      write();
      lock.unlock();
    }
    if (lock.try_lock_shared()) {
      assert(a == b);
      lock.unlock_shared();
    }
    all.done();
  });
  heddle::go([&] {
    lock.lock_shared();
    assert(a == b);
    auto given = heddle::make_chan<void>();
    heddle::go([&, given] {
      given.receive();
      lock.unlock_shared();
      all.done();
    });
    given.send();
    all.done();
  });
  all.go([&] {
    const std::lock_guard guard(plain);
    ++ready;
    changed.notify_all();
  });
  {
    std::unique_lock guard(plain);
    while (ready == 0) changed.wait(guard);
  }
  all.wait();
  assert(plain.try_lock() && !plain.try_lock());
  plain.unlock();
  assert(lock.try_lock_shared() && lock.try_lock_shared() && !lock.try_lock());
  lock.unlock_shared();
  lock.unlock_shared();
}
