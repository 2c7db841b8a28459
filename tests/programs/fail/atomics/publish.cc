// heddle: expect=assertion budget=500
// The flag is raised before the value it announces is there.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

HEDDLE_FUZZ_TEST(publish) {
  std::atomic<int> value{0};
  std::atomic<bool> ready{false};
  std::thread writer([&] {
#ifdef FIXED
    value = 42;
    ready = true;
#else
    ready = true;
    value = 42;
#endif
  });
  if (ready) assert(value == 42);
  writer.join();
}
