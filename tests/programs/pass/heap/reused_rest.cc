// heddle: expect=pass runs=1000 options=report_races=1
// The end of a thread frees a block, and the next thread gets it again. There is no race, not even on unused bytes of the block.
#include <heddle/heddle.h>

#include <thread>

HEDDLE_FUZZ_TEST(reused_rest) {
  std::thread a([] {}), b([] {}), c([] {});
  a.join();
  b.join();
  c.join();
}
