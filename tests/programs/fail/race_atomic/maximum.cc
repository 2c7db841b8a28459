// heddle: expect=data_race budget=200 options=report_races=1
// If raising a mark is a release, a thread that sees the mark may read what was written before it.
#include <heddle/heddle.h>

#include <atomic>
#include <thread>

namespace {

#ifdef FIXED
constexpr int kOrder = __ATOMIC_RELEASE;
#else
constexpr int kOrder = __ATOMIC_RELAXED;
#endif
int mark, written;

void raise(int* object, int value) {
#if defined(__clang__)
  __atomic_fetch_max(object, value, kOrder);
#else
  __atomic_store_n(object, value, kOrder);
#endif
}

}  // namespace

HEDDLE_FUZZ_TEST(maximum) {
  std::thread writer([] {
    written = 1;
    raise(&mark, 3);
  });
  std::thread reader([] {
    if (__atomic_load_n(&mark, __ATOMIC_ACQUIRE) == 3 && written != 1) __builtin_abort();
  });
  writer.join();
  reader.join();
}
