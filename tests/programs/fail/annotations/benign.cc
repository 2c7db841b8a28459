// heddle: expect=data_race budget=300 options=report_races=1
// A counter that may be a little wrong, and one that may not.
#include <heddle/heddle.h>

#include <thread>

extern "C" void AnnotateBenignRaceSized(const char* file, int line, const volatile void* address, size_t size, const char* why);

namespace {
int hits = 0;
int money = 0;
}  // namespace

HEDDLE_FUZZ_TEST(benign) {
  AnnotateBenignRaceSized(__FILE__, __LINE__, &hits, sizeof hits, "statistics");
#ifdef FIXED
  AnnotateBenignRaceSized(__FILE__, __LINE__, &money, sizeof money, "none of ours");
#endif
  std::thread other([] {
    ++hits;
    ++money;
  });
  ++hits;
  ++money;
  other.join();
}
