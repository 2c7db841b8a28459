// heddle: expect=assertion budget=1000
// A pair in a local variable of the main thread, which reads its fields itself: through no pointer that clang's pass would take for shared.
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <thread>

namespace {
struct Pair {
  std::atomic<unsigned> changes{0};
  int a = 0, b = 0;

  void set(int value) {
    ++changes;
    a = value;
    b = value;
    ++changes;
  }
  bool get(int& x, int& y) const {
    const unsigned before = changes.load();
    if (before % 2 != 0) return false;
    x = a;
    y = b;
#ifdef FIXED
    return changes.load() == before;
#else
    return true;
#endif
  }
};
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t*, size_t) {
  Pair pair;
  std::thread writer([&] { pair.set(1); });
  int x = 0, y = 0;
  if (pair.get(x, y)) assert(x == y);
  writer.join();
  return 0;
}
