// heddle: expect=data_race budget=300 options=report_races=1
// A first read without the lock, which is intended, and a write without it, which is a bug.
#include <heddle/heddle.h>

#include <mutex>
#include <thread>

extern "C" {
void AnnotateIgnoreReadsBegin(const char* file, int line);
void AnnotateIgnoreReadsEnd(const char* file, int line);
}

HEDDLE_FUZZ_TEST(unprotected_read) {
  [[maybe_unused]] std::mutex m;
  int limit = 3;
  const auto lower = [&] {
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    const bool low = *const_cast<volatile int*>(&limit) == 0;
#ifdef FIXED
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
    if (low) return;
    std::lock_guard hold(m);
    if (limit > 0) --limit;
#else
    if (!low) limit = 2;
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
#endif
  };
  std::thread other(lower);
  lower();
  other.join();
}
