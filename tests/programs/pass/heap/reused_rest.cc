// heddle: expect=pass runs=1000 options=report_races=1
// A thread's end frees a block, the next thread gets it again: no race, nor on the bytes of it that nobody has asked for.
#include <heddle/heddle.h>

#include <thread>

HEDDLE_FUZZ_TEST(reused_rest) {
  std::thread a([] {}), b([] {}), c([] {});
  a.join();
  b.join();
  c.join();
}
