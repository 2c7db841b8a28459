// heddle: expect=assertion budget=1000
// A record is copied by one assignment, which a processor makes in many steps. A reader without the lock can get half of the old one.
#include <heddle/heddle.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <mutex>
#include <thread>

namespace {
using Position = std::array<double, 12>;
Position position;
[[maybe_unused]] std::mutex m;

void move() {
  Position next;
  next.fill(2);
#ifdef FIXED
  std::lock_guard lock(m);
#endif
  position = next;
}
void look() {
#ifdef FIXED
  m.lock();
#endif
  const Position seen = position;
#ifdef FIXED
  m.unlock();
#endif
  assert(std::count(seen.begin(), seen.end(), seen[0]) == 12);
}
}  // namespace

HEDDLE_FUZZ_TEST(torn_record) {
  position.fill(1);
  std::thread mover(move), looker(look);
  mover.join();
  looker.join();
}
