// heddle: expect=assertion|livelock budget=1000
// A ticket lock whose tickets are drawn without a read-modify-write: two threads may hold the same one.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

HEDDLE_FUZZ_TEST(ticket_lock) {
  std::atomic<unsigned> next{0}, serving{0}, inside{0};
  auto work = [&] {
#ifdef FIXED
    const unsigned mine = next.fetch_add(1);
#else
    const unsigned mine = next.load();
    next.store(mine + 1);
#endif
    while (serving.load() != mine) std::this_thread::yield();
    assert(inside.fetch_add(1) == 0);
    inside.fetch_sub(1);
    serving.fetch_add(1);
  };
  std::thread one(work), two(work), three(work);
  one.join();
  two.join();
  three.join();
}
