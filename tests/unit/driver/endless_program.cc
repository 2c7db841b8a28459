// Two threads pass a counter to and fro without end: always something new, so no livelock.
#include <heddle/heddle.h>

#include <atomic>
#include <thread>

HEDDLE_FUZZ_TEST(endless_program) {
  std::atomic<unsigned> turns{0};
  std::thread other([&] {
    for (;;) turns += turns % 2;
  });
  for (;;) turns += (turns + 1) % 2;
}
