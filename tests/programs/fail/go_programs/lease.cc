// heddle: expect=mixed_deadlock|blocked_threads|deadlock budget=1000
// A lease's keeper takes commands from a channel and changes the table under its lock. revoke()
// sends its command under that lock.
#include <heddle/csp.h>

#include <map>
#include <mutex>

namespace {
struct Leases {
  std::mutex m;
  std::map<int, int> table;
  heddle::chan<int> renewals = heddle::make_chan<int>(1);
  heddle::chan<int> stop = heddle::make_chan<int>();

  void keep() {
    for (bool more = true; more;) {
      heddle::select(heddle::on_receive(renewals,
                                        [&](auto id) {
                                          const std::lock_guard lock(m);
                                          ++table[*id];
                                        }),
                     heddle::on_receive(stop, [&](auto) { more = false; }));
    }
  }
  void renew(int id) { renewals.send(id); }
  void revoke(int id) {
    std::unique_lock lock(m);
    table.erase(id);
#ifdef FIXED
    lock.unlock();
#endif
    renewals.send(id + 100);
  }
};
}  // namespace

HEDDLE_FUZZ_TEST(lease) {
  Leases leases;
  heddle::wait_group keeper, clients;
  keeper.go([&] { leases.keep(); });
  clients.go([&] { leases.renew(1), leases.renew(2); });
  clients.go([&] { leases.revoke(1); });
  clients.wait();
  leases.stop.send(0);
  keeper.wait();
}
