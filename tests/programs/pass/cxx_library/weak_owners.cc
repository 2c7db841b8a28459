// heddle: expect=pass runs=1000 options=report_races=1
// A thread that locks a weak_ptr in time has the object alive. The last owner frees the counters.
#include <heddle/heddle.h>

#include <cassert>
#include <memory>
#include <thread>

struct Value {
  int n = 1;
  ~Value() { n = 2; }
};

HEDDLE_FUZZ_TEST(weak_owners) {
  auto owner = std::make_shared<Value>();
  std::weak_ptr<Value> watched = owner;
  std::thread watcher([watched] {
    if (const auto seen = watched.lock()) assert(seen->n == 1);
  });
  std::thread last([owner = std::move(owner)]() mutable {
    assert(owner->n == 1);
    owner.reset();
  });
  watched.reset();
  watcher.join();
  last.join();
}
