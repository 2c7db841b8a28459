// heddle: expect=pass runs=1500
// misuse: expect=assertion|double-free|heap-use-after-free|SEGV budget=10000 seeds=20
// Boost.Lockfree: a pool of numbered slots in a lock-free stack, results through a lock-free queue of fixed size. No slot has two owners.
// Misuse: one of the threads uses unsynchronized_pop, which is only for a single thread.
//
// Races are not asked for: a pop reads the next element of a node that another thread may be giving a new content, and finds out afterwards.
#include <heddle/heddle.h>

#include <boost/lockfree/queue.hpp>
#include <boost/lockfree/stack.hpp>
#include <cassert>
#include <thread>

HEDDLE_FUZZ_TEST(boost_lockfree) {
  boost::lockfree::stack<int> free_slots(4);
  boost::lockfree::queue<int, boost::lockfree::capacity<8>> done;
  for (int i = 0; i < 3; ++i) free_slots.push(i);
  int owners[3] = {};
  auto work = [&](int id) {
    for (int round = 0; round < 2; ++round) {
      int slot;
#ifdef MISUSE
      if (id == 3 ? !free_slots.unsynchronized_pop(slot) : !free_slots.pop(slot)) continue;
#else
      if (!free_slots.pop(slot)) continue;
#endif
      owners[slot] = id;
      done.push(slot);
      assert(owners[slot] == id && "a slot with two owners");
      free_slots.push(slot);
    }
  };
  std::thread a(work, 1), b(work, 2), c(work, 3);
  a.join();
  b.join();
  c.join();
  int finished = 0;
  done.consume_all([&](int) { ++finished; });
  assert(finished == 6);
}
