// heddle: expect=heap-use-after-free|double-free budget=1000 asan
// A reference count is decremented and read in two steps: two threads may both be the last.
#include <heddle/heddle.h>

#include <atomic>
#include <thread>

namespace {
struct Shared {
  std::atomic<int> references{2};
  int value = 1;
};

void release(Shared* s) {
#ifdef FIXED
  if (s->references.fetch_sub(1) == 1) delete s;
#else
  s->references.fetch_sub(1);
  if (s->references.load() == 0) delete s;
#endif
}
}  // namespace

HEDDLE_FUZZ_TEST(refcount) {
  auto* s = new Shared;
  std::thread other([s] { release(s); });
  release(s);
  other.join();
}
