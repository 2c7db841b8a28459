// heddle: expect=deadlock budget=3000
// Two reader counters, each under its own lock, share a third lock. It is taken at 0 -> 1 and released at 1 -> 0.
#include <heddle/heddle.h>

#include <mutex>
#include <thread>

namespace {
std::mutex m, l;
int a, b;

void enter(int& count) {
  m.lock();
  if (++count == 1) {
#ifdef FIXED
    m.unlock();
    l.lock();
    m.lock();
#else
    l.lock();
#endif
  }
  m.unlock();
}
void leave(int& count) {
  m.lock();
  if (--count == 0) l.unlock();
  m.unlock();
}
}  // namespace

HEDDLE_FUZZ_TEST(carter01) {
  std::thread one([] { enter(a); leave(a); });
  std::thread two([] { enter(b); leave(b); });
  one.join();
  two.join();
}
