// heddle: expect=heap-use-after-free budget=3000
// Two threads take a reference at once, and one of the two is lost. The references are given back under a lock, so the
// order of the locks and of the free only follows from that.
#include <heddle/heddle.h>

#include <cassert>
#include <mutex>
#include <thread>

namespace {
struct Object {
  int references = 1;
  int value = 7;
};
std::mutex m;

void take(Object* o) {
#ifdef FIXED
  std::lock_guard lock(m);
#endif
  o->references = o->references + 1;
}
void give_back(Object* o) {
  std::lock_guard lock(m);
  assert(o->value == 7);
  if (--o->references == 0) {
    o->value = 0;
    delete o;
  }
}
}  // namespace

HEDDLE_FUZZ_TEST(lost_reference) {
  Object* const o = new Object;
  std::thread one([o] {
    take(o);
    give_back(o);
  });
  std::thread other([o] {
    take(o);
    give_back(o);
  });
  one.join();
  other.join();
  give_back(o);
}
