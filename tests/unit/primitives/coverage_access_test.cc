// clang up to 16 has the thread sanitizer announce accesses to coverage counters, too: they are none of the program's. (They count for its pauses: in an
// execution that is not watched, accesses are not examined, and the pauses are at the same places in all.)
#include <gtest/gtest.h>

#include <thread>

#include "controlled_run.h"
#include "races/race_detector.h"

extern "C" {
void __tsan_read1(void*);
void __tsan_write1(void*);
// As the compiler places them; the linker gives the section its bounds.
__attribute__((section("__sancov_cntrs"), used)) unsigned char coverage_access_counters[8];
}

namespace heddle::test {
namespace {

unsigned char g_plain[8];

// Two threads step the byte so often that it is taken for a busy wait.
int pauses(unsigned char* byte, uint32_t& races) {
  const Result r = run_seed(1, [byte] {
    const auto step = [byte] {
      for (int i = 0; i < 20'000; ++i) {
        __tsan_read1(byte);
        __tsan_write1(byte);
      }
    };
    std::thread other(step);
    step();
    other.join();
  });
  rt::race_detector_pairs(races);
  return r.count(Kind::spin_pause);
}

TEST(CoverageAccess, IsNoAccessOfTheProgram) {
  uint32_t races = 0;
  const int of_program = pauses(&g_plain[3], races);
  EXPECT_GT(of_program, 0);
  EXPECT_GT(races, 0u);
  for (unsigned char& counter : coverage_access_counters) {
    EXPECT_EQ(pauses(&counter, races), of_program);
    EXPECT_EQ(races, 0u);
  }
}

}  // namespace
}  // namespace heddle::test
