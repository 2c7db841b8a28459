// heddle: expect=assertion budget=1000
// A pool of connections: idle ones wait in a channel, and new ones are made up to a limit. The
// limit is checked under one hold of the lock and counted under another.
#include <heddle/csp.h>

#include <cassert>
#include <mutex>

namespace {
constexpr int kMost = 2;
struct Pool {
  std::mutex m;
  int made = 0;
  heddle::chan<int> idle = heddle::make_chan<int>(kMost);

  int get() {
    int connection = -1;
    if (heddle::select(heddle::on_receive(idle, [&](auto c) { connection = *c; }),
                       heddle::otherwise()) == 0)
      return connection;
    std::unique_lock lock(m);
    if (made < kMost) {
#ifndef FIXED
      lock.unlock();  // connecting takes long
      lock.lock();
#endif
      return made++;
    }
    lock.unlock();
    return *idle.receive();
  }
  void put(int connection) {
    const bool kept = heddle::select(heddle::on_send(idle, connection), heddle::otherwise()) == 0;
    assert(kept);
  }
};
}  // namespace

HEDDLE_FUZZ_TEST(connection_pool) {
  Pool pool;
  heddle::wait_group clients;
  for (int i = 0; i < 3; ++i) {
    clients.go([&pool] {
      for (int round = 0; round < 2; ++round) pool.put(pool.get());
    });
  }
  clients.wait();
  const std::lock_guard lock(pool.m);
  assert(pool.made <= kMost);
}
