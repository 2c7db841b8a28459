// heddle: expect=crash budget=1000
// A pointer is checked, and used: between the two the other thread sets it to null.
#include <heddle/heddle.h>

#include <thread>

namespace {
int value;
int* volatile current;

void reader() {
#ifdef FIXED
  int* const seen = current;
  if (seen != nullptr) *seen = 2;
#else
  if (current != nullptr) *current = 2;
#endif
}
}  // namespace

HEDDLE_FUZZ_TEST(checked_pointer) {
  current = &value;
  std::thread one(reader), two([] { current = nullptr; });
  one.join();
  two.join();
}
