// heddle: expect=assertion budget=500
// Three threads under one lock; the third fails if it comes last.
#include <heddle/heddle.h>

#include <cassert>
#include <mutex>
#include <thread>

namespace {
std::mutex m;
int data;
}  // namespace

HEDDLE_FUZZ_TEST(lazy01) {
  std::thread one([] { std::lock_guard lock(m); ++data; });
  std::thread two([] { std::lock_guard lock(m); data += 2; });
  std::thread three([] {
    std::lock_guard lock(m);
#ifdef FIXED
    assert(data <= 3);
#else
    assert(data < 3);
#endif
  });
  one.join();
  two.join();
  three.join();
}
