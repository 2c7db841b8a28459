// heddle: expect=assertion budget=10000
// At most one in the room, says a std::counting_semaphore with two places.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <semaphore>
#include <thread>

HEDDLE_FUZZ_TEST(counting) {
#ifdef FIXED
  std::counting_semaphore<4> room(1);
#else
  std::counting_semaphore<4> room(2);
#endif
  std::atomic<int> inside{0};
  const auto visit = [&] {
    if (!room.try_acquire()) return;
    assert(inside.fetch_add(1) == 0);
    inside.fetch_sub(1);
    room.release();
  };
  std::thread a(visit), b(visit);
  a.join();
  b.join();
}
