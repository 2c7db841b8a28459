// heddle: expect=assertion budget=3000
// Each station copies the token of its predecessor; once round and all are equal, unless one reads while the next writes.
#include <heddle/heddle.h>

#include <cassert>
#include <mutex>
#include <thread>

namespace {
std::mutex m;
int station[4] = {1, 2, 3, 4};
int steps;

void copy(int from, int to) {
  std::lock_guard lock(m);
  station[to] = station[from];
  ++steps;
}
}  // namespace

HEDDLE_FUZZ_TEST(token_ring) {
  std::thread t1(copy, 0, 1), t2(copy, 1, 2), t3(copy, 2, 3), t4(copy, 3, 0);
  t1.join();
  t2.join();
  t3.join();
  t4.join();
#ifdef FIXED
  assert(steps == 4);
#else
  // True in nearly every order.
  assert(!(station[0] == station[1] && station[1] == station[2] && station[2] == station[3]));
#endif
}
