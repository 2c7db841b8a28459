// heddle: expect=assertion budget=1000
// A flag is looked at twice between two operations of its thread: the second look may find another value.
#include <heddle/heddle.h>

#include <cassert>
#include <mutex>
#include <thread>

namespace {
volatile int ready;
[[maybe_unused]] std::mutex m;

void reader() {
#ifdef FIXED
  std::lock_guard lock(m);
#endif
  if (ready) assert(ready);
}
void writer() {
#ifdef FIXED
  std::lock_guard lock(m);
#endif
  ready = 0;
}
}  // namespace

HEDDLE_FUZZ_TEST(checked_flag) {
  ready = 1;
  std::thread one(reader), two(writer);
  one.join();
  two.join();
}
