// Takes what GREEDY says, without end: the engine's limits must stop it although it is a fiber that takes it.
#include <heddle/heddle.h>

#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

HEDDLE_FUZZ_TEST(greedy) {
  const char* what = std::getenv("GREEDY");
  if (what == nullptr) return;
  std::thread taker([what] {
    if (std::strcmp(what, "time") == 0) {
      volatile unsigned x = 1;
      unsigned local = 1;
      for (;;) {
        local = local * 1664525u + 1013904223u;
        if (local == 0) x = local;
      }
    }
    if (std::strcmp(what, "block") == 0) {
      char* volatile block = static_cast<char*>(std::malloc(300 << 20));  // volatile: or the compiler leaves both calls out
      std::free(block);
      return;
    }
    std::vector<std::vector<char>> taken;
    for (;;) taken.emplace_back(16 << 20, 'x');
  });
  taker.join();
}
