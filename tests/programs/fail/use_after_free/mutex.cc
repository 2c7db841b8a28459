// heddle: expect=heap-use-after-free budget=1000
// The thread that drops the last reference deletes the object with its mutex, while the other thread has not unlocked that mutex yet.
#include <heddle/heddle.h>

#include <mutex>
#include <thread>

namespace {
struct Shared {
  std::mutex m;
  int references = 2;

  void let_go() {
    m.lock();
    const bool last = --references == 0;
#ifdef FIXED
    m.unlock();
    if (last) delete this;
#else
    if (last) delete this;
    m.unlock();
#endif
  }
};
}  // namespace

HEDDLE_FUZZ_TEST(mutex) {
  auto* s = new Shared;
  std::thread other([s] { s->let_go(); });
  s->let_go();
  other.join();
}
