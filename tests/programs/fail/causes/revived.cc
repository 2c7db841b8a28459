// heddle: expect=heap-use-after-free|double-free budget=1000
// An upgrade of a weak reference asks whether the count is zero, and then adds to it. In between, the last owner frees the value.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

struct Shared {
  std::atomic<int> owners{1};
  int* value = new int(5);
};

static bool upgrade(Shared& s) {
#ifdef FIXED
  int n = s.owners;
  while (n != 0 && !s.owners.compare_exchange_weak(n, n + 1)) {
  }
  return n != 0;
#else
  if (s.owners == 0) return false;
  ++s.owners;
  return true;
#endif
}

static void release(Shared& s) {
  if (--s.owners == 0) delete s.value;
}

HEDDLE_FUZZ_TEST(revived) {
  Shared s;
  std::thread cache([&] {
    if (!upgrade(s)) return;
    assert(*s.value == 5);
    release(s);
  });
  release(s);
  cache.join();
}
