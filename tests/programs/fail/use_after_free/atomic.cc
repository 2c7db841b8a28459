// heddle: expect=heap-use-after-free budget=1000
// A thread that drops its reference must not use the object any more: the other thread may have deleted it.
#include <heddle/heddle.h>

#include <atomic>
#include <thread>

namespace {
struct Shared {
  std::atomic<int> references{2};
  std::atomic<int> uses{0};

  void let_go() {
#ifdef FIXED
    uses.fetch_add(1);
#endif
    if (references.fetch_sub(1) == 1) {
      delete this;
      return;
    }
#ifndef FIXED
    uses.fetch_add(1);
#endif
  }
};
}  // namespace

HEDDLE_FUZZ_TEST(atomic) {
  auto* s = new Shared;
  std::thread other([s] { s->let_go(); });
  s->let_go();
  other.join();
}
