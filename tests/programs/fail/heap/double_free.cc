// heddle: expect=double-free budget=1000
// A reference count is decremented and read in two steps: two threads may both be the last.
#include <heddle/heddle.h>

#include <atomic>
#include <thread>

namespace {
struct Shared {
  int value[20] = {};
};
std::atomic<int> references{2};

void release(Shared* s) {
#ifdef FIXED
  if (references.fetch_sub(1) == 1) delete s;
#else
  references.fetch_sub(1);
  if (references.load() == 0) delete s;
#endif
}
}  // namespace

HEDDLE_FUZZ_TEST(double_free) {
  auto* s = new Shared;
  std::thread other([s] { release(s); });
  release(s);
  other.join();
}
