// heddle: expect=blocked_threads|deadlock|mixed_deadlock budget=1000
// After cockroach#2448: two loops that serve each other: one sends an event while the other sends a callback to it.
#include <heddle/csp.h>

HEDDLE_FUZZ_TEST(events_and_callbacks) {
  const heddle::chan<int> events = heddle::make_chan<int>();
  const heddle::chan<int> callbacks = heddle::make_chan<int>();
  const heddle::chan<int> requests = heddle::make_chan<int>(1);
  heddle::wait_group all;
  all.go([=] {  // the raft
    for (int left = 2; left != 0; --left) {
      heddle::select(heddle::on_receive(requests, [&](auto) {
#ifdef FIXED
                       heddle::select(heddle::on_send(events, 1), heddle::on_receive(callbacks, [&](auto) { events.send(1); --left; }));
#else
                       events.send(1);
#endif
                     }),
                     heddle::on_receive(callbacks));
    }
  });
  all.go([=] {  // the store
    callbacks.send(1);
    events.receive();
  });
  requests.send(1);
  all.wait();
}
