// heddle: expect=pass runs=1000
// One of three runs the function. No thread goes on before it has ended.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(call_once) {
  std::once_flag once;
  std::atomic<int> runs{0}, ready{0};
  auto use = [&] {
    std::call_once(once, [&] {
      ++runs;
      std::this_thread::yield();
      ready = 1;
    });
    assert(ready == 1);
  };
  std::thread one(use), two(use);
  use();
  one.join();
  two.join();
  assert(runs == 1);
}
