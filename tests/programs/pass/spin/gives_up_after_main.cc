// heddle: expect=pass runs=100
// A detached thread looks for a request 100,000 times after main has ended, and then gives up: it is slow, not endless.
#include <heddle/heddle.h>

#include <atomic>
#include <thread>

namespace {
std::atomic<int> requests;
}

HEDDLE_FUZZ_TEST(gives_up_after_main) {
  std::thread([] {
    for (int i = 0; i < 100'000 && requests.load() == 0; ++i) std::this_thread::yield();
  }).detach();
}
