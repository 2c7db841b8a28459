// heddle: expect=assertion budget=1000
// Callers of one key share a computation: the first computes, the others wait on its channel. The
// key is forgotten before the result is stored.
#include <heddle/csp.h>

#include <cassert>
#include <map>
#include <mutex>

namespace {
struct Flight {
  std::mutex m;
  std::map<int, heddle::chan<int>> running;
  std::map<int, int> results;
  int computed = 0;

  int get(int key) {
    std::unique_lock lock(m);
    if (const auto known = results.find(key); known != results.end()) return known->second;
    if (const auto other = running.find(key); other != running.end()) {
      const heddle::chan<int> done = other->second;
      lock.unlock();
      done.receive();  // closed
      lock.lock();
      return results[key];
    }
    const auto done = heddle::make_chan<int>();
    running[key] = done;
    ++computed;
    lock.unlock();
    const int result = 10 * key;
    lock.lock();
    running.erase(key);
#ifndef FIXED
    lock.unlock();
    lock.lock();
#endif
    results[key] = result;
    done.close();
    return result;
  }
};
}  // namespace

HEDDLE_FUZZ_TEST(single_flight) {
  Flight flight;
  heddle::wait_group callers;
  for (int c = 0; c < 3; ++c) {
    callers.go([&flight] {
      const int result = flight.get(7);
      assert(result == 70);
    });
  }
  callers.wait();
  const std::lock_guard lock(flight.m);
  assert(flight.computed == 1);
}
