// heddle: expect=stack-use-after-return budget=100
// A lambda captures a local by reference and is given to a thread that outlives the call.
#include <heddle/heddle.h>

#include <memory>
#include <thread>

// As if it were in another file: what is inlined has its variables among the caller's.
__attribute__((noinline)) static std::thread start() {
#ifdef FIXED
  auto sum = std::make_shared<int>(0);
  return std::thread([sum] { *sum += 5; });
#else
  int sum = 0;
  return std::thread([&sum] { sum += 5; });
#endif
}

HEDDLE_FUZZ_TEST(captured_local) {
  std::thread worker = start();
  worker.join();
}
