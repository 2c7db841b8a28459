// heddle: expect=pass runs=1000
// The first two calls throw: the next one runs the function again.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(call_once_throws) {
  std::once_flag once;
  std::atomic<int> attempts{0}, caught{0};
  auto use = [&] {
    try {
      std::call_once(once, [&] {
        if (attempts.fetch_add(1) < 2) throw 1;
      });
    } catch (int) {
      ++caught;
    }
  };
  std::thread one(use), two(use), three(use);
  use();
  one.join();
  two.join();
  three.join();
  assert(attempts == 3 && caught == 2);
}
