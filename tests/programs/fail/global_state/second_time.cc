// heddle: expect=assertion budget=1000
// Fails only if the other thread comes second, counted by a static; it must fail in the first execution of a process too.
#include <heddle/heddle.h>

#include <cassert>
#include <mutex>
#include <thread>

namespace {
std::mutex m;

int ticket() {
  static int n;
  std::lock_guard lock(m);
  return ++n;
}
}  // namespace

HEDDLE_FUZZ_TEST(second_time) {
  std::thread other([] {
#ifndef FIXED
    assert(ticket() == 1);
#else
    assert(ticket() <= 2);
#endif
  });
  ticket();
  other.join();
}
